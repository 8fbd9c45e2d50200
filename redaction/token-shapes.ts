/** Not in the middle of a word; an escape (a line feed in JSON, a terminal's colour) is none. */
const ALONE = '(?<!(?<!\\\\|(?:\\x1b|\\\\u001[bB])\\[[0-9;]{0,12})[A-Za-z0-9])';
/** A line's end, also one that is spelled in JSON. */
const LINE_END = /(?:(?:\\{1,4}[nr]|[\r\n])[ \t]{0,16}){1,4}/.source;
const BASE64 = '[A-Za-z0-9+/=]';

/** Tokens known by their shape. Each is bounded, so that a stream need not be held back for long. */
const SHAPES: Readonly<Record<string, string>> = {
  'Anthropic key': 'sk-ant-[A-Za-z0-9_-]{20,512}',
  'OpenRouter key': 'sk-or-v1-[A-Za-z0-9]{32,128}',
  'OpenAI key':
    `${ALONE}sk-(?:(?:proj|svcacct|admin|None)-(?=[\\w-]{0,64}[A-Z])(?=[\\w-]{0,64}[0-9])[A-Za-z0-9_-]{20,512}` +
    '|[A-Za-z0-9]{32,128}(?![\\w-]))',
  'GitHub token': 'gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{36,255}',
  'GitLab token': 'gl(?:pat|rt|dt|cbt|ptt|oas)-[A-Za-z0-9_-]{20,128}',
  'AWS key id': `${ALONE}A(?:KIA|SIA)[A-Z2-7]{16}(?![A-Za-z0-9+/=_-])`,
  'Google key': 'AIza[A-Za-z0-9_-]{35}(?![\\w-])|GOCSPX-[A-Za-z0-9_-]{28}|ya29\\.[A-Za-z0-9_-]{20,1024}',
  'Slack token': 'xox[abeprs]-[A-Za-z0-9-]{10,255}',
  'Stripe key': '[sr]k_live_[A-Za-z0-9]{20,255}',
  'npm token': 'npm_[A-Za-z0-9]{36}(?!\\w)',
  'PyPI token': 'pypi-AgE[A-Za-z0-9_-]{50,512}',
  'Hugging Face token': 'hf_[A-Za-z0-9]{34}(?!\\w)',
  'Groq key': 'gsk_[A-Za-z0-9]{48,64}(?!\\w)',
  'xAI key': 'xai-[A-Za-z0-9]{64,128}(?!\\w)',
  JWT: 'eyJ[A-Za-z0-9_-]{10,2048}\\.eyJ[A-Za-z0-9_-]{10,8192}\\.[A-Za-z0-9_-]{10,2048}',
  // Also one that was cut off.
  'private key':
    `-----BEGIN (?:[A-Z0-9]{2,16} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:${LINE_END}[A-Za-z-]{4,16}: [^\\r\\n\\\\]{1,128}){0,4}` +
    `${LINE_END}${BASE64}{16,128}(?:${LINE_END}${BASE64}{1,128}){0,256}` +
    `(?:${LINE_END}-----END [A-Z0-9 ]{0,48}-----)?`,
};

const names = Object.keys(SHAPES);
const pattern = Object.values(SHAPES)
  .map((shape) => `(${shape})`)
  .join('|');

/** How far back a shape looks for what stands before it. */
export const LOOKBEHIND_CHARS = 32;

/** Where tokens stand in a text, in order. */
export function findShapes(text: string): { from: number; to: number; name: string }[] {
  return [...text.matchAll(new RegExp(pattern, 'g'))].map((match) => ({
    from: match.index,
    to: match.index + match[0].length,
    name: names[match.slice(1).findIndex((group) => group !== undefined)] ?? 'token',
  }));
}
