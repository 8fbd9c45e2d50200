export { ralphLoop } from './ralph-loop.ts';
