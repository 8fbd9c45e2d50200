import path from 'node:path';
import type { AgentSpec } from '../../schemas/run/agent.ts';
import { ralphError } from '../../schemas/errors/index.ts';
import { MAX_RESULT_CHARS } from '../../schemas/run/run.ts';
import { exitText, failed } from '../faults/faults.ts';
import { MAX_FAULT_FILE_BYTES, statedFault } from '../faults/fault-file.ts';
import { submittedReport } from '../output/submitted-report.ts';
import { oneLine, TextTail } from '../output/bounded-text.ts';
import {
  nothingReported,
  type AgentEnd,
  type AgentProvider,
  type AgentReading,
  type LaunchContext,
  type OutputReader,
} from '../provider.ts';
import { resumingFlag } from '../run/resuming-flags.ts';
import { highestUse, MAX_USAGE_FILE_BYTES, parseUsageFile } from '../usage/usage-file.ts';

/** Far above the largest report: white space between its fields is allowed. */
const MAX_REPORT_BYTES = 1_048_576;
const MAX_ACTIVITY_CHARS = 160;

/** A shell command: the prompt on stdin, the report in the file that RALPH_REPORT_FILE names. */
export const command: AgentProvider = {
  name: 'command',
  capabilities: {
    freshContext: true,
    structuredReport: true,
    exitCounts: true,
    tellsTokens: true,
    tellsCost: true,
  },
  environment: { passed: [], keys: [] },
  homeFiles: () => [],
  repositorySettings: [],
  program: null,
  howToSubmit: ({ name }) =>
    `Write the ${name}, as JSON in UTF-8 and nothing else, to the file that the environment variable RALPH_REPORT_FILE names. It lies outside the workspace.`,
  check(spec) {
    const resuming = resumingFlag(shellCommand(spec));
    if (resuming !== null) throw ralphError('agent-resumes', resuming);
  },
  prepare: async (context) => ({
    argv: ['/bin/sh', '-c', shellCommand(context.spec)],
    env: {
      RALPH_RUN: context.runId,
      RALPH_ROUND: String(context.round),
      RALPH_MAX_ROUNDS: String(context.maxRounds),
      RALPH_REPORT_FILE: reportFile(context),
      RALPH_USAGE_FILE: usageFile(context),
      RALPH_FAULT_FILE: faultFile(context),
    },
    readable: [],
  }),
  reader,
};

function shellCommand(spec: AgentSpec): string {
  if (spec.command === null) throw new TypeError(`the agent ${spec.provider} has no shell command`);
  return spec.command;
}

const reportFile = (context: LaunchContext): string => path.join(context.inbox, 'report.json');
const faultFile = (context: LaunchContext): string => path.join(context.inbox, 'fault.json');
const usageFile = (context: LaunchContext): string => path.join(context.inbox, 'usage.json');

function reader(context: LaunchContext): OutputReader {
  const file = reportFile(context);
  const printed = new TextTail(MAX_RESULT_CHARS);
  let reported = nothingReported;
  return {
    line(text) {
      printed.add(`${text}\n`);
      const activity = oneLine(text, MAX_ACTIVITY_CHARS);
      return activity === '' ? null : activity;
    },
    async use() {
      const read = await context.readInboxFile(usageFile(context), MAX_USAGE_FILE_BYTES);
      // Half a file, while it is written anew, takes back nothing.
      const now = read.kind === 'text' ? parseUsageFile(read.text) : null;
      if (now !== null) reported = highestUse(reported, now);
      return reported;
    },
    async reported() {
      return (await reportIn(context, file)).kind === 'candidate';
    },
    hasFailed: () => false,
    async finish(end) {
      return { report: await report(context, file, end), finalText: printed.text() };
    },
  };
}

/** A report counts if the command did what it was to do; else the fault that it names, which says more than its exit. */
async function report(context: LaunchContext, file: string, end: AgentEnd): Promise<AgentReading['report']> {
  // A shell command says by its exit code whether it did what it was to do; a report written before is then void.
  const hasFailed = !end.ended && end.exit.code !== 0;
  const given = hasFailed ? failed('agent-crashed', exitText('the command', end), null) : await reportIn(context, file);
  if (given.kind === 'candidate') return given;
  const stated = statedFault(await context.readInboxFile(faultFile(context), MAX_FAULT_FILE_BYTES));
  switch (stated.kind) {
    case 'none':
      return given;
    case 'stated':
      return stated.report;
    case 'broken':
      return failed(given.fault.code, `${given.fault.message}; the fault file ${stated.why}`, null);
    default:
      return stated satisfies never;
  }
}

async function reportIn(context: LaunchContext, file: string): Promise<AgentReading['report']> {
  const read = await context.readInboxFile(file, MAX_REPORT_BYTES);
  switch (read.kind) {
    case 'missing':
      return failed(
        'report-missing',
        `the command ended without writing a ${context.output.name} to RALPH_REPORT_FILE`,
        null,
      );
    case 'rejected':
      return failed('report-invalid', `the ${context.output.name} file ${read.why}`, null);
    case 'text':
      return parsed(read.text, context.output.name);
    default:
      return read satisfies never;
  }
}

function parsed(text: string, name: string): AgentReading['report'] {
  try {
    return submittedReport(JSON.parse(text), text, name);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return failed('report-invalid', `the ${name} file does not hold JSON: ${error.message}`, null);
  }
}
