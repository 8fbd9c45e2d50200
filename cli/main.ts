#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { commandLine } from './command-line.ts';
import { processTerminal } from './terminal/terminal.ts';

const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
const version = /"version": "([^"]+)"/.exec(manifest)?.[1] ?? 'unknown';

process.exitCode = await commandLine({
  argv: process.argv.slice(2),
  env: process.env,
  cwd: process.cwd(),
  stdin: process.stdin,
  terminal: processTerminal(process.env),
  version,
});
