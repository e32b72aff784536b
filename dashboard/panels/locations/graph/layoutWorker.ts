/** Web worker that computes the layout of the transfer graph. */
import { type WorkerResponse, type WorkerRequest, computeLayout } from './layout.ts';

self.addEventListener('message', ({ data: { id, request } }: MessageEvent<WorkerRequest>) => {
  const response: WorkerResponse = { id, positions: computeLayout(request) };
  self.postMessage(response);
});
