/** Arranges the rows of a large table beside the page, which stays free for the next key. */
import type { ArrangeRequest } from './arrangeMessages.ts';
import { createArrangeSide } from './arrangeSide.ts';

const answer = createArrangeSide();

self.addEventListener('message', ({ data }: MessageEvent<ArrangeRequest>) => {
  const found = answer(data);
  if (found !== null) self.postMessage(found, { transfer: [found.places.buffer] });
});
