export { printable, printableLine } from '../../system/printable.ts';
