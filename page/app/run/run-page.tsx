import type { Selected } from '../link/route.ts';
export const RunPage = ({ runId }: { runId: string; selected: Selected | null }) => <p>{runId}</p>;
