import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Hono } from 'hono';

const TYPES = {
  'index.html': 'text/html; charset=utf-8',
  'main.js': 'text/javascript; charset=utf-8',
  'main.css': 'text/css; charset=utf-8',
  'icon.svg': 'image/svg+xml',
} as const satisfies Record<string, string>;

/** Serve what the browser loads. It holds no secret, so it needs no token; nothing but these files can be had. */
export async function addAssets(app: Hono, folder: string): Promise<void> {
  for (const [name, type] of Object.entries(TYPES)) {
    const bytes = new Uint8Array(await readFile(path.join(folder, name)));
    app.get(name === 'index.html' ? '/' : `/${name}`, (context) => context.body(bytes, 200, { 'content-type': type }));
  }
}
