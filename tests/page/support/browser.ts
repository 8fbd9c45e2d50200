import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { findBrowser } from './find-browser.mjs';

/** What went wrong in a page: errors of scripts, and of the console. */
export interface Visit {
  readonly page: Page;
  readonly problems: string[];
}

/** A real Chromium for a test file, closed when its tests are over. `args`: of its command line. */
export function browser(args: readonly string[] = []) {
  let launched: Browser | null = null;
  const get = async (): Promise<Browser> => {
    const executablePath = findBrowser();
    if (executablePath === null) throw new Error('there is no Chromium');
    // It refuses its own sandbox to root.
    const sandbox = process.geteuid?.() === 0 ? ['--no-sandbox'] : [];
    launched ??= await chromium.launch({
      executablePath,
      args: [...sandbox, '--disable-gpu', '--disable-dev-shm-usage', ...args],
    });
    return launched;
  };
  afterAll(async () => {
    await launched?.close();
  });
  return {
    /** A tab of a browser of its own: nothing of another one is in it. */
    async visit(url: string, options: BrowserContextOptions = {}): Promise<Visit> {
      const context = await (await get()).newContext(options);
      const page = await context.newPage();
      const problems: string[] = [];
      page.on('pageerror', (error) => problems.push(String(error)));
      page.on('console', (message) => {
        if (message.type() === 'error') problems.push(message.text());
      });
      await page.goto(url);
      return { page, problems };
    },
  };
}
