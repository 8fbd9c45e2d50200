// make-repository.mjs FOLDER: a git repository of 36 source files with 47 calls of a deprecated function, and tests.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const areas = ['billing', 'catalog', 'payroll', 'reports', 'shipping'];
const things = ['invoice', 'refund', 'discount', 'deposit', 'estimate', 'surcharge', 'voucher'];

/** Function bodies with one or two calls, in the shapes that trip a search-and-replace. */
const shapes = [
  { calls: 1, body: (name) => `return \`${name}: \${formatPrice(amount, currency)}\`;` },
  {
    calls: 2,
    body: (name) => `const net = formatPrice(amount, currency);
  const gross = formatPrice(Math.round(amount * 1.2), currency);
  return [\`${name}\`, net, gross].join(' ');`,
  },
  {
    calls: 1,
    body: (name) => `// formatPrice(amount, currency) used to round; it no longer does.
  const line = formatPrice(
    [amount, 100].reduce((sum, part) => sum + part, 0),
    currency,
  );
  return '${name} (formatPrice(x, y) is only text here) ' + line;`,
  },
];

/** 47 calls over 35 modules: twelve modules call twice, the others once. */
function moduleSource(name, index) {
  const shape = index % 3 === 1 ? shapes[1] : shapes[index % 2 === 0 ? 0 : 2];
  return {
    calls: shape.calls,
    text: `import { formatPrice } from '../money.mjs';

export function ${name}(amount, currency) {
  ${shape.body(name)}
}
`,
  };
}

const money = `const symbols = { EUR: '€', USD: '$' };

/** @deprecated Use formatMoney({ amount, currency }). */
export function formatPrice(amount, currency) {
  return formatMoney({ amount, currency });
}

/** An amount of cents, written with the symbol of its currency. */
export function formatMoney({ amount, currency }) {
  return \`\${symbols[currency]}\${(amount / 100).toFixed(2)}\`;
}
`;

const testSource = (area, names) => `import assert from 'node:assert/strict';
import { test } from 'node:test';
${names.map((name) => `import { ${name} } from '../src/${area}/${name}.mjs';`).join('\n')}

for (const line of [${names.join(', ')}]) {
  test(\`\${line.name} shows an amount of money\`, () => {
    assert.match(line(1250, 'EUR'), new RegExp(\`^\${line.name} ?[:(]?.*€1[23].50\`));
  });
}
`;

const root = path.resolve(process.argv[2]);
const write = (file, text) => {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), text);
};

let calls = 0;
let files = 1;
write(
  'package.json',
  `${JSON.stringify({ name: 'shop', private: true, type: 'module', scripts: { test: 'node --test' } }, null, 2)}\n`,
);
write('src/money.mjs', money);
for (const [a, area] of areas.entries()) {
  const names = things.map((thing) => `${area}${thing[0].toUpperCase()}${thing.slice(1)}`);
  for (const [t, name] of names.entries()) {
    const source = moduleSource(name, a * things.length + t);
    write(`src/${area}/${name}.mjs`, source.text);
    calls += source.calls;
    files += 1;
  }
  write(`test/${area}.test.mjs`, testSource(area, names));
}
const git = (...args) => execFileSync('git', ['-C', root, ...args], { stdio: 'ignore' });
git('init', '--initial-branch=main');
git('add', '--all');
git(
  '-c',
  'user.name=Shop',
  '-c',
  'user.email=shop@example.invalid',
  'commit',
  '--message',
  'A shop that formats prices',
);
console.log(`${files} source files with ${calls} calls of formatPrice in ${root}`);
