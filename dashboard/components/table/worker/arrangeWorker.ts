/** Arranges the rows of a large table in a worker, so that the page stays responsive. */
import type { ArrangeRequest } from './arrangeMessages.ts';
import { createArrangeHandler } from './arrangeHandler.ts';

const handle = createArrangeHandler();

self.addEventListener('message', ({ data }: MessageEvent<ArrangeRequest>) => {
  const answer = handle(data);
  if (answer !== null) self.postMessage(answer, { transfer: [answer.places.buffer] });
});
