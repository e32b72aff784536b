/** Web worker that computes the layout of the transfer graph. */
import { type WorkerResponse, type WorkerRequest, graphPlaces } from './layout.ts';

self.addEventListener('message', ({ data: { id, request } }: MessageEvent<WorkerRequest>) => {
  const response: WorkerResponse = { id, places: graphPlaces(request) };
  self.postMessage(response);
});
