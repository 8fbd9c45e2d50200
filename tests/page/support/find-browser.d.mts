export function findBrowser(env?: { CHROMIUM?: string; PATH?: string }): string | null;
