type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> };

/** The properties that are set, so that what is spread over a default never unsets it. */
export function definedOnly<T>(values: Record<string, T | undefined>): Record<string, T>;
export function definedOnly<T extends object>(values: T): Partial<Defined<T>>;
export function definedOnly(values: object): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
