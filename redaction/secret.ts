/** A value that must not be written down. `name` says in its place what stood there; it is no secret itself. */
export interface Secret {
  readonly name: string;
  readonly value: string;
}
