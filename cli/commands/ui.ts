import { Command } from 'commander';
import { wholeNumber } from '../arguments/numbers.ts';
import type { CommandContext } from '../context.ts';
import { json } from '../terminal/json.ts';

interface UiFlags {
  readonly open?: boolean;
  readonly port?: number;
  readonly stop?: boolean;
  readonly json?: boolean;
}

export function uiCommand({ terminal, env }: CommandContext): Command {
  return new Command('ui')
    .description('show every run in a browser: start the page of this RALPH_HOME, or find it, and print its address')
    .option('--open', 'open it in your browser')
    .option('--port <n>', 'serve it at this port of 127.0.0.1', wholeNumber)
    .option('--stop', 'end the page; runs do not notice')
    .option('--json', 'print JSON')
    .action(async ({ open, port, stop, json: asJson }: UiFlags) => {
      const { openDeployment } = await import('../../client/connect/deployment.ts');
      const { addressOf, ensurePage, stopPage } = await import('../../host/page-process/page-process.ts');
      const { ralphHome } = await openDeployment(env);
      if (stop === true) {
        const { kind } = await stopPage(ralphHome);
        terminal.out(kind === 'stopped' ? 'Page stopped.' : 'The page was not running.');
        return;
      }
      const { pageEntry } = await import('../../host/package-root.ts');
      const page = await ensurePage({
        ralphHome,
        env,
        entry: await pageEntry(),
        port: port ?? null,
        onNote: (note) => terminal.note(note),
      });
      const url = `${addressOf(page)}/#token=${page.token}`;
      terminal.out(asJson === true ? json({ url, pid: page.pid, port: page.port }) : url);
      if (open === true) {
        const { openInBrowser } = await import('../../host/page-process/open-in-browser.ts');
        const opened = await openInBrowser({ ralphHome, env, url });
        if (!opened) terminal.note('No program that opens a browser was found. Open the address above yourself.');
      }
      if (asJson !== true)
        terminal.note('Whoever has this address can see and control your runs. It is valid until the page ends.');
    });
}
