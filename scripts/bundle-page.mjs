// Bundle what a browser loads of the page into dist/page-app/: one script, one style sheet, nothing from elsewhere.
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { ROOT } from './sources.mjs';

/** Kilobytes, gzipped, of script and style together. */
const MOST_KB = 150;

export async function bundlePage(dist) {
  const from = path.join(ROOT, 'page', 'app');
  const to = path.join(dist, 'page-app');
  mkdirSync(to, { recursive: true });
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: { main: path.join(from, 'main.tsx') },
    outdir: to,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    logLevel: 'error',
    metafile: true,
  });
  for (const name of ['index.html', 'icon.svg']) copyFileSync(path.join(from, name), path.join(to, name));
  const bytes = Object.keys(metafile.outputs).reduce(
    (sum, file) => sum + gzipSync(readFileSync(path.join(ROOT, file))).length,
    0,
  );
  const kb = bytes / 1000;
  if (kb > MOST_KB) throw new Error(`The page has ${kb.toFixed(1)} kB gzipped, and may have ${MOST_KB}.`);
}
