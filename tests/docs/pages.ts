import { readdirSync } from 'node:fs';
import path from 'node:path';

/** Every page of the documentation. */
export const pages = [
  'README.md',
  'AGENTS.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => path.join('docs', name)),
];
