/** Arranges the rows of a large table in a worker, so that the page stays responsive. */
import type { ArrangeRequest } from './arrangeMessages.ts';
import { createArrangeSide } from './arrangeSide.ts';

const answer = createArrangeSide();

self.addEventListener('message', ({ data }: MessageEvent<ArrangeRequest>) => {
  const found = answer(data);
  if (found !== null) self.postMessage(found, { transfer: [found.places.buffer] });
});
