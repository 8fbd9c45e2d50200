import { z } from 'zod';

/** What `/bin/sh -c` is given: no argument of a program can hold a NUL. */
export const ShellCommand = z
  .string()
  .min(1)
  .refine((command) => command.trim() !== '', 'must not be empty')
  .refine((command) => !command.includes('\0'), 'must not hold a NUL character');
