import path from 'node:path';
import { pathWithout } from '../support/path-without.ts';
import { place } from '../support/place.ts';
import { done } from '../support/scripted-agent.ts';
import { tempFolder } from '../support/temp-folder.ts';

const PATH = pathWithout('bwrap', path.join(tempFolder('programs'), 'programs'));
const ralph = place('workspace-removed', {}, { PATH });

test.each([
  ['removes', 'rm -rf "$at"', /removed its workspace/],
  ['replaces', 'mv "$at" "$at.away"; mkdir "$at"', /replaced its workspace/],
])(
  'an agent in no sandbox that %s its workspace has completed nothing, and the next attempt gets a whole one',
  async (_how, script, said) => {
    const once = (agent: string): string =>
      `at=$PWD; ${agent} || exit 1; cd /; [ -e "$at/../seen" ] || { : > "$at/../seen"; ${script}; }`;
    const story = ralph.story([{ report: done('all') }, { files: { 'b.txt': 'b\n' }, report: done('all') }], once);
    const { code, stdout } = await ralph.ralph(...story.args);
    expect({ code, ledger: await story.ledger() }).toEqual({ code: 0, ledger: ['1.1 report-invalid', '1.2 complete'] });
    expect(stdout).toMatch(said);
    const files = story.repository.git('ls-tree', '-r', '--name-only', `ralph/${story.id}`);
    expect(files.split('\n')).toEqual(['a.txt', 'b.txt']);
  },
);
