/** Arranges the rows of a large table in a worker, so that the page stays responsive. */
import type { ArrangeRequest } from './arrangeMessages.ts';
import { createArrangeHandler } from './arrangeHandler.ts';

const handle = createArrangeHandler();

self.addEventListener('message', ({ data }: MessageEvent<ArrangeRequest>) => {
  const response = handle(data);
  if (response !== null) self.postMessage(response, { transfer: [response.rowIndexes.buffer] });
});
