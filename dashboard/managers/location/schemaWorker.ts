/** Validates representations in a worker, so that zod's schema code isn't loaded with the first page. */
import { type SchemaCheckResponse, type SchemaCheckRequest, checkRepresentation } from './schemaCheck.ts';

self.addEventListener('message', ({ data: { id, template, value } }: MessageEvent<SchemaCheckRequest>) => {
  const response: SchemaCheckResponse = { id, result: checkRepresentation(template, value) };
  self.postMessage(response);
});
