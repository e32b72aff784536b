/** What the page and the worker that checks representations say to each other. */
import type { RepresentationTemplate } from '../../../api/managers/locationTemplate.ts';
import type { SchemaVerdict } from './schemaCheck.ts';

export interface SchemaQuestion {
  readonly id: number;
  readonly template: Pick<RepresentationTemplate, 'schema_def' | 'required_overrides'>;
  readonly value: unknown;
}
export interface SchemaAnswer {
  readonly id: number;
  readonly verdict: SchemaVerdict;
}
