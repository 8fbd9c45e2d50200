export { stopSharedServer as default } from './shared-server.ts';
