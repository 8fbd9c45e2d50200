import { z } from 'zod';

const MAX_CHARS = 500;

/**
 * A glob of protected paths, as git's pathspecs of the kind `glob` know it: from the top of the repository, `*` within a
 * folder, `**` through folders. What git would read as something else, or match with nothing, is refused.
 */
export const ProtectGlob = z
  .string()
  .min(1, 'must not be empty')
  .max(MAX_CHARS, `holds at most ${MAX_CHARS} characters`)
  .refine(
    (glob) => glob === glob.trim() && !/\p{Cc}/u.test(glob),
    'has leading or trailing white space, or control characters',
  )
  .refine((glob) => !/^[/:!]/.test(glob), 'must not begin with "/", ":" or "!": it is relative to the top folder')
  .refine((glob) => !glob.split('/').some((part) => part === '.' || part === '..'), 'must not have "." or ".." in it')
  .refine((glob) => !/[{}]/.test(glob), 'has braces, which git globs do not support: write both paths instead')
  .refine((glob) => !glob.includes('\\'), 'has a backslash: separate folders with "/"')
  .refine((glob) => !/\[[^\]]*$/.test(glob), 'has a "[" without a "]"');
