const TEXTS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of its path is not a folder',
  EISDIR: 'it is a folder',
  EEXIST: 'a file with its name exists',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the disk is read-only',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'its symbolic links form a loop',
  ENOSPC: 'no space is left on the disk',
};

/** An error of the file system in words, for the text of another one; the error's own where it is of another kind. */
export function errnoText(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  return TEXTS[code] ?? String(error).replace(/^Error: /, '');
}
