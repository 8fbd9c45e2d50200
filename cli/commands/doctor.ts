import { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { diagnosisPage } from '../pages/diagnosis-page.ts';
import { json } from '../terminal/json.ts';

export function doctorCommand({ terminal, env }: CommandContext): Command {
  return new Command('doctor')
    .description('show what this machine can run: programs, sandbox levels, agents')
    .option('--reap', 'end processes that dead workers left behind')
    .option('--json', 'print JSON')
    .action(async (flags: { reap?: boolean; json?: boolean }) => {
      const { openDeployment } = await import('../../client/connect/deployment.ts');
      const { diagnose } = await import('../../client/connect/doctor.ts');
      const diagnosis = await diagnose(await openDeployment(env), { reap: flags.reap === true });
      terminal.out(flags.json === true ? json(diagnosis) : diagnosisPage(diagnosis, terminal.paint).join('\n'));
    });
}
