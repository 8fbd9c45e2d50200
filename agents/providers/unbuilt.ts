import type { AgentProvider } from '../provider.ts';

/** Stands in until the provider of a program is there. */
export const unbuilt = (name: AgentProvider['name']): AgentProvider => ({
  name,
  capabilities: { freshContext: true, structuredReport: false },
  environment: { passed: [], keys: [] },
  homeFiles: () => [],
  program: null,
  reportInstruction: '',
  check: () => undefined,
  prepare: () => Promise.reject(new Error('not built yet')),
  reader: () => {
    throw new Error('not built yet');
  },
});
