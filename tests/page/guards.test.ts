import { scratch, type Scratch } from '../cli/support/ralph.ts';
import { recordRun } from '../cli/support/recorded-run.ts';
import { ask, bearer, type Served, served } from './support/served.ts';

let place: Scratch;
let page: Served;
const run = { objective: 'Migrate', summary: 'done', transcript: 'a line\n', rounds: 2, ended: true };
const json = { 'content-type': 'application/json' };
const ROUTES = [
  '/api/runs',
  '/api/services',
  '/api/events',
  '/api/runs/widgets',
  '/api/runs/widgets/why',
  '/api/runs/widgets/diff',
  '/api/runs/widgets/events',
  '/api/runs/widgets/rounds/1',
  '/api/runs/widgets/rounds/1/outputs',
  '/api/runs/widgets/rounds/1/log?name=attempt-1',
  '/api/runs/widgets/rounds/1/attempts/1/prompt',
];
const VERBS = ['pause', 'resume', 'stop', 'retry', 'cancel', 'budget'];

beforeAll(async () => {
  place = await scratch();
  await recordRun({ home: place.home, runId: 'widgets', ...run });
  page = await served(place.home);
});
afterAll(() => place.remove());

test.each(ROUTES)('%s answers nobody without the token, with a wrong one, or with a part of it', async (path) => {
  const wrong = [{}, { authorization: '' }, { authorization: `Bearer ${page.token.slice(1)}` }];
  const others = [
    { authorization: page.token },
    { cookie: `token=${page.token}` },
    { authorization: `Bearer ${page.token}x` },
  ];
  for (const headers of [...wrong, ...others]) {
    expect((await ask(page, { path, headers })).status).toBe(401);
  }
  expect((await ask(page, { path: `${path}?token=${page.token}` })).status).toBe(401);
});

test.each(VERBS)('%s is done for nobody without the token', async (verb) => {
  const path = `/api/runs/widgets/${verb}`;
  expect((await ask(page, { path, method: 'POST', headers: json, body: '{}' })).status).toBe(401);
  expect((await ask(page, { path, headers: bearer(page) })).status).toBe(404);
});

test.each(['evil.test', '127.0.0.1', 'localhost', '127.0.0.1:1', '[::1]', '0.0.0.0'])(
  'the name %s is not served, whatever the token: it may be somebody else’s that resolves to the loopback',
  async (host) => {
    const headers = { host, ...bearer(page) };
    for (const path of ['/', '/main.js', '/api/runs']) {
      expect((await ask(page, { path, headers })).status).toBe(421);
    }
  },
);

test('localhost with its port is served as well', async () => {
  const headers = { host: `localhost:${page.port}`, ...bearer(page) };
  expect((await ask(page, { path: '/api/runs', headers })).status).toBe(200);
});

test('every answer, also a refusal, has the headers that hold a browser', async () => {
  for (const [path, headers] of [
    ['/', {}],
    ['/main.js', {}],
    ['/api/runs', {}],
    ['/api/runs', bearer(page)],
    ['/nothing', {}],
    ['/', { host: 'evil.test' }],
  ] as const) {
    expect((await ask(page, { path, headers })).headers).toMatchObject({
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'cache-control': 'no-store',
    });
  }
});

test('a body of more than 64 KiB, or one that a form could send, is refused', async () => {
  const path = '/api/runs/widgets/cancel';
  const post = (type: string, body: string) =>
    ask(page, { path, method: 'POST', headers: { ...bearer(page), 'content-type': type }, body });
  expect((await post('application/json', JSON.stringify({ reason: 'x'.repeat(70_000) }))).status).toBe(413);
  expect((await post('text/plain', '{"reason":null}')).status).toBe(415);
  expect((await post('application/x-www-form-urlencoded', 'reason=x')).status).toBe(415);
  expect((await post('application/json', '{"reason":1}')).status).toBe(400);
  expect((await post('application/json', '{"reason":null,"more":1}')).status).toBe(400);
  expect((await post('application/json', 'not json')).status).toBe(400);
});

test.each(['..', '%2e%2e', '..%2f..%2fetc', '%00', 'a/../../x', 'UPPER', 'x'.repeat(65)])(
  'a run id that is none (%s) is no path either',
  async (id) => {
    const { status, body } = await ask(page, { path: `/api/runs/${id}`, headers: bearer(page) });
    expect([404, 400]).toContain(status);
    expect(body).not.toContain('root:');
  },
);

test.each(['../../request.json', 'attempt-1/../../..', '/etc/passwd', 'attempt-2', ''])(
  'an output that is not of the round (%s) is not read',
  async (name) => {
    const path = `/api/runs/widgets/rounds/1/log?name=${encodeURIComponent(name)}`;
    expect((await ask(page, { path, headers: bearer(page) })).status).toBe(409);
  },
);

test.each(['/../package.json', '/%2e%2e/server/main.js', '/main.js.map', '/page.json', '/index.html'])(
  'nothing but the files of the page is served (%s)',
  async (path) => {
    expect((await ask(page, { path })).status).toBe(404);
  },
);

test('the documents are those of --json', async () => {
  const { body } = await ask(page, { path: '/api/runs/widgets', headers: bearer(page) });
  expect(JSON.parse(body)).toMatchObject({
    runId: 'widgets',
    status: 'budget-limited',
    rounds: [{ round: 1 }, { round: 2 }],
  });
  const why = await ask(page, { path: '/api/runs/widgets/why', headers: bearer(page) });
  expect(Object.keys(JSON.parse(why.body))).toEqual(['runId', 'status', 'headline', 'said', 'evidence', 'next']);
  const none = await ask(page, { path: '/api/runs/widgers', headers: bearer(page) });
  expect(none.status).toBe(404);
  expect(JSON.parse(none.body)).toMatchObject({
    problem: { code: 'no-such-run', message: expect.stringContaining('widgets') },
  });
});
