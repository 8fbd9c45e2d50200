import http from 'node:http';
import { ralph } from '../cli/support/ralph.ts';
import { place } from '../support/place.ts';
import { done, goOn } from '../support/scripted-agent.ts';
import { browser, type Visit } from './support/browser.ts';
import { type Served, served } from './support/served.ts';

/** What agents may write anywhere. Each would set `window.pwned`, or hide or turn what a reader sees. */
const HOSTILE = [
  '<script>window.pwned=1</script>',
  '<img src=x onerror="window.pwned=1">',
  '"><svg onload=window.pwned=1>',
  '\u001b]0;title\u0007\u001b[31mred\u001b[2K',
  'javascript:window.pwned=1',
  '\u202Etxt.exe',
  '</pre></table><iframe srcdoc="<script>parent.pwned=1</script>">',
];
const text = HOSTILE.join(' ');

const lab = place('page-attacks');
const chromium = browser(['--host-resolver-rules=MAP evil.test 127.0.0.1']);
let page: Served;
const id = 'page-attacks-1';

beforeAll(async () => {
  const files = {
    '<img src=x onerror=pwned=1>.txt': `${HOSTILE.join('\n')}\n`,
    'a\u202Etxt.exe': 'x\n',
    'a.txt': 'b\n',
  };
  const story = lab.story([
    { files, say: HOSTILE.join('\n'), report: goOn(text, [text]) },
    { say: text, report: done(text) },
  ]);
  const gate = `printf '%s\\n' '${text.replaceAll("'", '')}'; exit 1`;
  const args = [...story.args];
  args[1] = text.replaceAll('\u001b', '').replaceAll('\u0007', '');
  const { code, stderr } = await lab.ralph(...args, '--gate', gate, '--max-rounds', '2');
  if (code !== 11) throw new Error(`the run exits ${String(code)}: ${stderr}`);
  page = await served(lab.home);
});

/** Nothing of what agents wrote ran, became an element, or gave the tab a title. */
async function expectUnharmed({ page: tab, problems }: Visit): Promise<void> {
  expect(await tab.evaluate('window.pwned ?? null')).toBeNull();
  expect(await tab.locator('iframe, svg[onload], img:not([src="/icon.svg"])').count()).toBe(0);
  expect(await tab.locator('script').count()).toBe(1);
  expect(problems).toEqual([]);
}

test('a hostile objective, report, transcript, prompt, diff, file name and gate output are shown as text', async () => {
  const visit = await chromium.visit(page.url);
  const { page: tab } = visit;
  await tab.locator('.runs li').waitFor();
  expect(await tab.locator('.runs .title').innerText()).toContain('<script>window.pwned=1</script>');
  await expectUnharmed(visit);
  for (const [address, shown] of [
    [`#/runs/${id}`, '.rounds tbody tr >> nth=1'],
    [`#/runs/${id}/rounds/1/report`, '.report .summary'],
    [`#/runs/${id}/rounds/2/gates`, '.gate.failed .log'],
    [`#/runs/${id}/rounds/1/diff`, '.diff .insert >> nth=6'],
    [`#/runs/${id}/rounds/1/transcript`, '.log.tall div >> nth=6'],
    [`#/runs/${id}/rounds/1/prompt`, '.log.prompt'],
    [`#/runs/${id}/rounds/1/receipt`, '.proof'],
    [`#/runs/${id}/diff`, '.diff .insert >> nth=6'],
  ] as const) {
    await tab.goto(`${page.origin}/${address}`);
    await tab.locator(shown).waitFor();
    await expectUnharmed(visit);
  }
  const seen = await tab.locator('.inspector').innerText();
  expect(seen).toContain('<img src=x onerror=pwned=1>.txt');
  expect(seen).toContain('<script>window.pwned=1</script>');
});

test('control characters and those that turn reading order are visible', async () => {
  const { page: tab } = await chromium.visit(page.url);
  await tab.locator('.runs li').waitFor();
  await tab.goto(`${page.origin}/#/runs/${id}/rounds/1/transcript`);
  const log = tab.locator('.log.tall');
  await log.getByText('txt.exe').waitFor();
  const seen = await log.innerText();
  expect(seen).toContain('⟨U+202E⟩txt.exe');
  expect(seen).toContain('␛]0;title␇red␛[2K');
  expect(await tab.title()).toContain(`${id} – ralph`);
  expect(await tab.locator('body').innerText()).not.toMatch(/(?![\n\t])[\p{Cc}\u202a-\u202e]/u);
});

test('the token leaves the address at once, stays with its tab, and no other tab has it', async () => {
  const { page: tab } = await chromium.visit(page.url);
  await tab.locator('.runs li').waitFor();
  expect(tab.url()).toBe(`${page.origin}/#/`);
  expect(await tab.evaluate('document.cookie')).toBe('');
  await tab.reload();
  await tab.locator('.runs li').waitFor();
  const other = await tab.context().newPage();
  await other.goto(`${page.origin}/`);
  await other.getByText('This tab has no valid token').waitFor();
  expect(await other.locator('.runs').count()).toBe(0);
});

test('another name that resolves to this machine (DNS rebinding) is not served', async () => {
  const { page: tab } = await chromium.visit('about:blank');
  const response = await tab.goto(`http://evil.test:${page.port}/`);
  expect(response?.status()).toBe(421);
  const api = await tab.evaluate('fetch("/api/runs").then(({ status }) => status)');
  expect(api).toBe(421);
});

test('a page of another port of this machine, as a dev server of an agent is, can neither act, read nor frame', async () => {
  const target = `${page.origin}/api/runs/${id}/cancel`;
  const evil = http.createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(`<form id="f" method="post" action="${target}" enctype="text/plain"><input name="a"></form>
      <iframe src="${page.origin}/"></iframe>
      <script>window.results = [];
        const note = (name) => [(a) => results.push(name + ' ' + a.type + ' ' + a.status), () => results.push(name + ' blocked')];
        fetch('${target}', { method: 'POST', mode: 'no-cors', credentials: 'include', body: '{}' }).then(...note('simple'));
        fetch('${target}', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }).then(...note('json'));
        fetch('${page.origin}/api/runs', { credentials: 'include' }).then(...note('read'));
      </script>`);
  });
  await new Promise<void>((resolve) => evil.listen(0, '127.0.0.1', resolve));
  try {
    const address = evil.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    const { page: tab } = await chromium.visit(`http://127.0.0.1:${port}/`);
    await tab.waitForFunction('window.results.length === 3');
    const results: string[] = await tab.evaluate('window.results.toSorted()');
    expect(results).toEqual(['json blocked', 'read blocked', 'simple blocked']);
    const framed = tab.frames().find((frame) => frame !== tab.mainFrame());
    expect(await framed?.evaluate('document.querySelector("#app")').catch(() => null)).toBeNull();
    await Promise.all([tab.waitForNavigation(), tab.evaluate('document.forms[0].submit()')]);
    expect(await tab.locator('body').innerText()).toContain('token of this page is missing');
  } finally {
    await new Promise((resolve) => evil.close(resolve));
  }
});

test('text can never become markup: the browser itself refuses it', async () => {
  const { page: tab } = await chromium.visit(page.url);
  await tab.locator('.runs li').waitFor();
  const tries = await tab.evaluate(`[
    () => (document.body.innerHTML = '<b>x</b>'),
    () => document.body.insertAdjacentHTML('beforeend', '<b>x</b>'),
    () => document.write('<b>x</b>'),
  ].map((act) => {
    try {
      act();
      return 'done';
    } catch (error) {
      return error instanceof TypeError ? 'refused' : String(error);
    }
  })`);
  expect(tries).toEqual(['refused', 'refused', 'refused']);
});

test('an open tab whose page has ended says so, and its old token opens nothing of the next one', async () => {
  const { page: tab } = await chromium.visit(page.url);
  await tab.locator('.runs li').waitFor();
  await ralph(['ui', '--stop'], { home: lab.home });
  await tab.getByText('The connection to the page’s server is lost').waitFor();
  page = await served(lab.home);
  const refused = tab.getByText('This tab has no valid token');
  await refused.waitFor({ timeout: 15_000 });
  expect(await refused.isVisible()).toBe(true);
});
