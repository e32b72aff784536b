/** Checks representations beside the page: what it needs of zod would otherwise be on the first page. */
import { type SchemaAnswer, type SchemaQuestion, checkRepresentation } from './schemaCheck.ts';

self.addEventListener('message', ({ data: { id, template, value } }: MessageEvent<SchemaQuestion>) => {
  const answer: SchemaAnswer = { id, verdict: checkRepresentation(template, value) };
  self.postMessage(answer);
});
