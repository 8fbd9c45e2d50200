import { types } from 'node:util';

/** What an error says, for the text of another one. */
export const messageOf = (error: unknown): string => (types.isNativeError(error) ? error.message : String(error));
