import type { Mechanism } from '../../schemas/receipt.ts';
import { bubblewrap } from './bubblewrap.ts';
import type { Containment } from './containment.ts';
import { processGroup } from './process-group.ts';

/** Every way of holding a round. */
export const mechanisms: Readonly<Partial<Record<Mechanism, Containment>>> = {
  bubblewrap,
  'process-group': processGroup,
};
