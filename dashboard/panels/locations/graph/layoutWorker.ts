/** Finds the places of the transfer graph beside the page. */
import { type LayoutAnswer, type LayoutQuestion, graphPlaces } from './layout.ts';

self.addEventListener('message', ({ data: { id, request } }: MessageEvent<LayoutQuestion>) => {
  const answer: LayoutAnswer = { id, places: graphPlaces(request) };
  self.postMessage(answer);
});
