import { procTable } from './proc-table.ts';
import { psTable } from './ps-table.ts';
import type { ProcessTable } from './process-entry.ts';

export const processTable: ProcessTable = process.platform === 'linux' ? procTable : psTable;
