import { readFileSync } from 'node:fs';
import http from 'node:http';
import { homePaths } from '../../../host/home-paths.ts';
import { PageRecord } from '../../../host/page-process/page-record.ts';
import { ralph } from '../../cli/support/ralph.ts';

export interface Served {
  readonly url: string;
  readonly origin: string;
  readonly port: number;
  readonly pid: number;
  readonly token: string;
}

/** Start the page of a RALPH_HOME as a user does, or find it. */
export async function served(home: string, ...flags: string[]): Promise<Served> {
  const { code, stdout, stderr } = await ralph(['ui', ...flags], { home });
  if (code !== 0) throw new Error(`ralph ui exits ${String(code)}: ${stderr}`);
  const { port, pid, token } = PageRecord.parse(JSON.parse(readFileSync(homePaths(home).page.ready, 'utf8')));
  return { url: stdout.trim(), origin: `http://127.0.0.1:${port}`, port, pid, token };
}

export interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

/** A request with exactly these headers, as no browser would let a page send it. */
export function ask(
  { port }: Pick<Served, 'port'>,
  how: { path: string; method?: string; headers?: Record<string, string>; body?: string },
): Promise<Answer> {
  const { path, method = 'GET', headers = {}, body = '' } = how;
  return new Promise((resolve, reject) => {
    const request = http.request({ host: '127.0.0.1', port, path, method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.once('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }));
    });
    request.once('error', reject);
    request.end(body);
  });
}

export const bearer = ({ token }: Pick<Served, 'token'>): Record<string, string> => ({
  authorization: `Bearer ${token}`,
});
