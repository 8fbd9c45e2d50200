// Loaded into Gemini CLI before its own code. It looks for settings, variables, extensions, agents and policies below
// `.gemini` and in `.env`, in the folder that it works in and in every parent of it, and no option switches that off. To it
// those are not there; its tools see `.env` as before, as they read asynchronously, and what they start sees everything.
// `?hide=NAME` names what is hidden wherever it is, outside HOME.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const names = new Set(new URL(import.meta.url).searchParams.getAll('hide'));
const homes = [process.env.HOME, fs.realpathSync(process.env.HOME)];

/** @param {unknown} place */
function partsOf(place) {
  const stated = place instanceof URL ? fileURLToPath(place) : Buffer.isBuffer(place) ? place.toString() : place;
  if (typeof stated !== 'string') return [];
  const file = path.resolve(stated);
  return homes.some((home) => file.startsWith(`${home}${path.sep}`)) ? [] : file.split(path.sep);
}

const isHidden = (place) => partsOf(place).some((part) => names.has(part));
const isVariables = (place) => partsOf(place).at(-1) === '.env';

function missing(place) {
  const message = `ENOENT: no such file or directory, '${String(place)}'`;
  return Object.assign(new Error(message), { code: 'ENOENT', errno: -2, path: String(place) });
}

const exists = fs.existsSync;
fs.existsSync = (place) => !isHidden(place) && !isVariables(place) && exists(place);
for (const name of ['readFileSync', 'openSync', 'readdirSync', 'opendirSync', 'accessSync']) {
  const original = fs[name];
  fs[name] = (place, ...rest) => {
    if (isHidden(place) || isVariables(place)) throw missing(place);
    return original(place, ...rest);
  };
}
for (const name of ['readFile', 'open', 'readdir', 'opendir', 'access', 'stat', 'lstat']) {
  const original = fs.promises[name];
  fs.promises[name] = async (place, ...rest) => {
    if (isHidden(place)) throw missing(place);
    return await original(place, ...rest);
  };
}
syncBuiltinESMExports();
