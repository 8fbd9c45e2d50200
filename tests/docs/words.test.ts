import { readFileSync } from 'node:fs';
import { tableRows } from './tables.ts';
import { pages } from './pages.ts';

/** Words that the glossary replaced, as far as plain English has no other use for them. */
const REPLACED = [
  'steering',
  'stop-loss',
  'worker-reported',
  'keeper',
  'latch',
  'unreported',
  'mend',
  'settle',
  'predecessor',
];

/** What lists the old words on purpose. */
const NAMES_OLD_WORDS = ['CHANGELOG.md', 'docs/glossary.md', 'docs/decisions/0004-a-subreaper-in-perl.md'];

test.each(REPLACED)('no page says "%s", and the glossary has the word for it', (word) => {
  const glossary = readFileSync('docs/glossary.md', 'utf8');
  expect(tableRows(glossary).filter(([, , avoid = '']) => avoid.split(', ').includes(word))).toHaveLength(1);
  const said = pages.filter(
    (page) =>
      !NAMES_OLD_WORDS.includes(page) && new RegExp(`\\b${word}(s|ed|ing)?\\b`, 'i').test(readFileSync(page, 'utf8')),
  );
  expect(said).toEqual([]);
});
