import type { Parts } from './follow-parts.ts';

/** Reads a part by its name; null: there is none. */
export type PartReader<Of> = <Name extends keyof Of>(name: Name) => Of[Name] | null;

/** Parts with the types of our own server, which sent them. `Of`: names to types. */
export function typedParts<Of>(parts: Parts): PartReader<Of>;
export function typedParts(parts: ReadonlyMap<PropertyKey, unknown>): (name: PropertyKey) => unknown {
  return (name) => parts.get(name) ?? null;
}
