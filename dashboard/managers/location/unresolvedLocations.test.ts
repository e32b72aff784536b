import { expect, it } from 'vitest';
import { sampleLocation } from '../../fixtures/sampleLocation.ts';
import { findUnresolvedLocations } from './unresolvedLocations.ts';

const waiting = (template: string) => sampleLocation('x', { resource_template_name: template });

it.each([
  ['nest', new Set(['rack']), 'missing'],
  ['nest', new Set(['nest']), 'found'],
  ['Nest', new Set(['Nest']), 'capitalized'],
  ['nest', null, 'unknown'],
] as const)(
  'a location with the template “%s” is unresolved with the templates %o, with the reason “%s”',
  (template, templates, reason) => {
    expect(findUnresolvedLocations([waiting(template)], templates)).toMatchObject([{ template, reason }]);
  },
);

it('findUnresolvedLocations omits locations that have their resource', () => {
  const resolved = { ...waiting('nest'), resource_id: 'plate' };
  expect(findUnresolvedLocations([resolved, sampleLocation('y')], null)).toEqual([]);
});
