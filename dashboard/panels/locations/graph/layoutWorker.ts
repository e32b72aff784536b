/** Finds the places of the transfer graph beside the page. */
import { graphPlaces } from './layout.ts';
import type { LayoutAnswer, LayoutQuestion } from './layoutMessages.ts';

self.addEventListener('message', ({ data: { id, request } }: MessageEvent<LayoutQuestion>) => {
  const answer: LayoutAnswer = { id, places: graphPlaces(request) };
  self.postMessage(answer);
});
