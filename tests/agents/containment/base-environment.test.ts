import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { baseEnvironment } from '../../../agents/containment/bubblewrap/base-environment.ts';
import { toolchainsIn } from '../../../agents/containment/bubblewrap/toolchains.ts';
import { makeScratch } from './attempt.ts';

const scratch = makeScratch();
afterAll(() => scratch.remove());

const mounts = {
  tree: '/r/tree',
  objects: '/r/objects',
  home: '/r/home',
  cache: '/r/cache',
  inbox: '/r/inbox',
  ralphHome: '/r',
  readable: [],
};

test('nothing of the environment of the worker is handed on but what a list names', () => {
  const env = baseEnvironment({
    mounts,
    workerEnv: { PATH: '/usr/bin:relative:/bin', ANTHROPIC_API_KEY: 'k', AWS_SECRET_ACCESS_KEY: 'k', HTTPS_PROXY: 'p' },
  });
  expect(Object.values(env)).not.toContain('k');
  expect(env).toMatchObject({ HOME: '/r/home', TERM: 'dumb', HTTPS_PROXY: 'p', npm_config_cache: '/r/cache/npm' });
  expect(env.PATH?.split(':').every((folder) => path.isAbsolute(folder))).toBe(true);
});

test('of a home folder programs are shown, and never the folders of keys, whatever PATH says', () => {
  const home = scratch.folder;
  for (const folder of ['.nvm', '.cargo/bin', '.ssh', '.config/gcloud/bin', 'tools/bin', 'tools/lib', 'documents']) {
    mkdirSync(path.join(home, folder), { recursive: true });
  }
  const searchPath = ['tools/bin', '.ssh', '.config/gcloud/bin', '', '..'].map((folder) => path.join(home, folder));
  const { folders, env } = toolchainsIn(home, { PATH: searchPath.join(':'), RUSTUP_HOME: path.join(home, '.ssh') });
  const shown = folders.map((folder) => path.relative(home, folder)).toSorted();
  expect(shown).toEqual(['.cargo/bin', '.nvm', 'tools/bin', 'tools/lib']);
  expect(env).toMatchObject({ NVM_DIR: path.join(home, '.nvm') });
});
