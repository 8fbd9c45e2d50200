/** A process's environment as it is handed around; read-only, so that nothing of ours changes it on the way. */
export type Environment = Readonly<Record<string, string | undefined>>;

type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> };

/** The properties that are set, so that what is spread over a default never unsets it. */
export function definedOnly<T>(values: Record<string, T | undefined>): Record<string, T>;
export function definedOnly<T extends object>(values: T): Partial<Defined<T>>;
export function definedOnly(values: object): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
