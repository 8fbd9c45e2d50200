const KEY = 'ralph-token';

/**
 * The token of this tab: from the address, where `ralph ui` put it, or kept since. It is taken out of the address at
 * once, so that no bookmark, history or screenshot holds it. Null: this tab never had one.
 */
export function takeToken(): string | null {
  const given = new URLSearchParams(location.hash.slice(1)).get('token');
  if (given !== null) {
    sessionStorage.setItem(KEY, given);
    history.replaceState(null, '', `${location.pathname}#/`);
  }
  return sessionStorage.getItem(KEY);
}
