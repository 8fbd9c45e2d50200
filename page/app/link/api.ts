import { takeToken } from './token.ts';

const token = takeToken();

/** Why something could not be had. `status`: of HTTP; 0: the page's server does not answer. */
export class ApiProblem extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export const hasToken = token !== null;

/** Ask the page's server. Throws ApiProblem. */
export async function request(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set('authorization', `Bearer ${token ?? ''}`);
  let response: Response;
  try {
    response = await fetch(path, { ...init, headers, cache: 'no-store' });
  } catch (error) {
    if (init.signal?.aborted === true) throw error;
    throw new ApiProblem(0, 'The page’s server does not answer. `ralph ui` starts it again.');
  }
  if (!response.ok) throw new ApiProblem(response.status, await messageOf(response));
  return response;
}

export async function get<Document>(path: string, signal?: AbortSignal): Promise<Document> {
  const response = await request(path, signal === undefined ? {} : { signal });
  const document: Document = await response.json();
  return document;
}

export async function post<Document>(path: string, body: unknown): Promise<Document> {
  const headers = { 'content-type': 'application/json' };
  const response = await request(path, { method: 'POST', headers, body: JSON.stringify(body) });
  const document: Document = await response.json();
  return document;
}

async function messageOf(response: Response): Promise<string> {
  const text = await response.text();
  try {
    const { problem }: { problem?: { message?: string } } = JSON.parse(text);
    return problem?.message ?? text;
  } catch {
    // The guards answer in plain text.
    return text.trim();
  }
}
