import type { Mechanism } from '../../schemas/receipt.ts';
import { bubblewrap } from './bubblewrap.ts';
import type { Containment } from './containment.ts';
import { keeper, keeperBubblewrap } from './keeper.ts';
import { processGroup } from './process-group.ts';

/** Every way of holding a command. */
export const mechanisms: Readonly<Record<Mechanism, Containment>> = {
  bubblewrap,
  keeper,
  'keeper-bubblewrap': keeperBubblewrap,
  'process-group': processGroup,
};
