/** Validates representations in a worker, so that zod's schema code isn't loaded with the first page. */
import { type SchemaAnswer, type SchemaQuestion, checkRepresentation } from './schemaCheck.ts';

self.addEventListener('message', ({ data: { id, template, value } }: MessageEvent<SchemaQuestion>) => {
  const answer: SchemaAnswer = { id, verdict: checkRepresentation(template, value) };
  self.postMessage(answer);
});
