// Bundle the three programs into dist/bundle/: loading hundreds of small files took most of the time of a short command.
// Beside the bundles lie the files that they read at run time. The single files in dist/ stay, for the tests.
import { copyFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { build } from 'esbuild';
import { ASSETS, FOLDERS, ROOT } from './sources.mjs';

const sdk = path.dirname(createRequire(import.meta.url).resolve('@temporalio/worker'));
const ofSdk = createRequire(path.join(sdk, 'index.js'));

/** `dist`: the compiled files, with `bundle/workflow-bundle.js` made. The programs are replaced by what starts the bundles. */
export async function bundlePrograms(dist) {
  const to = path.join(dist, 'bundle');
  const program = (name) => path.join(dist, name, 'main.js');
  const page = path.join('page', 'server');
  // The thread that `ralph search` starts, by this name.
  const search = path.join(dist, 'client', 'search', 'search-thread.js');
  await bundle({ entryPoints: { cli: program('cli'), 'search-thread': search }, to, plugins: [withoutLocales] });
  await bundle({
    entryPoints: { worker: program('worker') },
    to,
    plugins: [withoutWebpack, withNativeBridge, withoutLocales],
  });
  await bundle({ entryPoints: { page: program(page) }, to, plugins: [withoutLocales] });
  // The SDK starts it as a thread, by this name, from beside the worker's bundle.
  const thread = path.join(sdk, 'workflow', 'workflow-worker-thread.js');
  await bundle({ entryPoints: { 'workflow-worker-thread': thread }, to, plugins: [withNativeBridge] });
  copyAssets(dist, to);
  // Of what the SDK reads stacks of workflow code with.
  copyFileSync(
    path.join(path.dirname(ofSdk.resolve('source-map')), 'lib', 'mappings.wasm'),
    path.join(to, 'mappings.wasm'),
  );
  for (const name of ['cli', 'worker']) writeFileSync(program(name), starter({ name, up: '..' }));
  writeFileSync(program(page), starter({ name: 'page', up: '../..' }));
}

async function bundle({ entryPoints, to, plugins }) {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints,
    outdir: to,
    bundle: true,
    splitting: true,
    chunkNames: `${Object.keys(entryPoints)[0]}-[hash]`,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    // Else jsonc-parser's UMD is taken, which a bundler cannot follow.
    mainFields: ['module', 'main'],
    // It is needed only to install a server, and starts programs of its own.
    external: ['@temporalio/testing'],
    sourcemap: 'linked',
    sourcesContent: false,
    // Packages in CommonJS ask for these.
    banner: {
      js: [
        "import { createRequire as ralphCreateRequire } from 'node:module';",
        'const require = ralphCreateRequire(import.meta.url);',
        'const __filename = import.meta.filename;',
        'const __dirname = import.meta.dirname;',
      ].join('\n'),
    },
    plugins,
    metafile: true,
    logLevel: 'error',
  });
  const heavy = Object.keys(metafile.inputs).find((file) => /node_modules\/(webpack|@swc)\//.test(file));
  if (heavy !== undefined)
    throw new Error(`The bundle of ${Object.keys(entryPoints)[0]} has ${heavy}, which is needed at build time only.`);
}

/** The workflow code is bundled when the package is built: the SDK's own bundler is never called at run time. */
const withoutWebpack = {
  name: 'without-webpack',
  setup({ onLoad }) {
    onLoad({ filter: /@temporalio\/worker\/lib\/workflow\/bundler\.js$/ }, () => ({
      contents: `
        exports.defaultWorkflowInterceptorModules = ['@temporalio/worker/lib/workflow-log-interceptor'];
        exports.WorkflowCodeBundler = class { constructor() { throw new Error('The workflow code is bundled already.'); } };
        exports.bundleWorkflowCode = () => { throw new Error('The workflow code is bundled already.'); };`,
      loader: 'js',
    }));
  },
};

/** Of zod's fifty languages one is used, and the others are as large as the rest of it. */
const withoutLocales = {
  name: 'without-locales',
  setup({ onLoad }) {
    onLoad({ filter: /zod\/v4\/locales\/index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
      loader: 'js',
    }));
  },
};

/** The native library of this machine stays where npm put it. */
const withNativeBridge = {
  name: 'with-native-bridge',
  setup({ onLoad }) {
    onLoad({ filter: /@temporalio\/core-bridge\/common\.js$/ }, () => ({
      contents: `
        const { createRequire } = require('node:module');
        exports.getPrebuiltPath = () => createRequire(__filename)('@temporalio/core-bridge/common').getPrebuiltPath();`,
      loader: 'js',
    }));
  },
};

function copyAssets(dist, to) {
  const names = new Set();
  for (const folder of FOLDERS) {
    for (const file of readdirSync(path.join(dist, folder), { recursive: true })) {
      if (!ASSETS.includes(path.extname(file))) continue;
      const name = path.basename(file);
      if (names.has(name))
        throw new Error(`Two files of the build are named ${name}: in dist/bundle there is room for one.`);
      names.add(name);
      copyFileSync(path.join(dist, folder, file), path.join(to, name));
    }
  }
}

/** Node >= 22.1 keeps compiled code. It lies in this package: whoever may write there may change the program as well. */
const starter = ({ name, up }) => `#!/usr/bin/env node
import module from 'node:module';
import path from 'node:path';

module.enableCompileCache?.(path.join(import.meta.dirname, '${up}', 'compile-cache'));
await import('${up}/bundle/${name}.js');
`;
