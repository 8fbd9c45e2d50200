import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { addRunFlags } from '../../cli/arguments/run-flags.ts';
import { RalphConfig } from '../../schemas/run/config.ts';
import { RepositoryDefaults } from '../../schemas/run/repository-defaults.ts';
import { section, tableRows } from './tables.ts';

const page = readFileSync('docs/configuration.md', 'utf8');
const words = (text: string): string[] => Array.from(text.matchAll(/`([^`]+)`/g), ([, word]) => String(word));

test('every option of a run is in the table, but for those about how it is followed', () => {
  const listed = tableRows(section(page, '## A run: flags of `ralph run`, and `ralph.json`')).flatMap(([flags]) =>
    words(String(flags)).map((flag) => flag.replace(/ .*/, '')),
  );
  const options = addRunFlags(new Command('run')).options.map(({ long }) => String(long));
  const follow = ['--objective-file', '--detach', '--json'];
  expect(listed.filter((flag) => flag !== '-C').toSorted()).toEqual(
    options.filter((flag) => !follow.includes(flag)).toSorted(),
  );
});

test('every key of ralph.json is in the table', () => {
  const listed = tableRows(section(page, '## A run: flags of `ralph run`, and `ralph.json`')).flatMap(([, key]) =>
    words(String(key)).slice(0, 1),
  );
  const keys = Object.keys(RepositoryDefaults.shape).filter((key) => key !== '$schema');
  expect(listed.toSorted()).toEqual(keys.toSorted());
});

test('every key of config.json is in the table', () => {
  const listed = tableRows(section(page, '## A machine: `$RALPH_HOME`')).flatMap(([key]) => words(String(key)));
  const { temporal, ...top } = RalphConfig.shape;
  const below = Object.keys(temporal.unwrap().shape).map((key) => `temporal.${key}`);
  expect(listed.toSorted()).toEqual([...Object.keys(top), ...below].toSorted());
});
