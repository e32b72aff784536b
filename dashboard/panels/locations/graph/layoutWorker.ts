/** Web worker that computes the layout of the transfer graph. */
import { type LayoutAnswer, type LayoutQuestion, graphPlaces } from './layout.ts';

self.addEventListener('message', ({ data: { id, request } }: MessageEvent<LayoutQuestion>) => {
  const answer: LayoutAnswer = { id, places: graphPlaces(request) };
  self.postMessage(answer);
});
