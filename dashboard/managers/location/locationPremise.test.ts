import { describe, expect, it } from 'vitest';
import { sampleLocation } from '../../fixtures/sampleLocation.ts';
import { attachPremise } from './locationPremise.ts';
import { locationTexts } from './texts.ts';

const texts = locationTexts.changed;
const bench = sampleLocation('bench', { resource_id: null });
const shelf = sampleLocation('shelf', { resource_id: 'P' });
const failIfRead = () => {
  throw new Error('Nothing is read here.');
};
const plate = { id: 'P', name: 'plate', parent: null };

describe('attaching a resource', () => {
  it('needs no confirmation when the resource is at no location', () => {
    expect(attachPremise(failIfRead, bench, plate).evaluate([bench])).toEqual({ kind: 'same' });
  });

  it('offers to move a resource that is at another location', () => {
    expect(attachPremise(failIfRead, bench, plate).evaluate([bench, shelf])).toEqual({
      kind: 'changed',
      title: texts.moveTitle('plate', 'shelf'),
      differences: [texts.moveEffect('plate', 'shelf')],
      action: texts.move,
    });
  });

  it('warns that a resource in a container stays in it', () => {
    expect(attachPremise(failIfRead, bench, { ...plate, parent: 'rack' }).evaluate([bench])).toMatchObject({
      differences: [texts.inContainer('plate', 'rack')],
    });
  });

  it('is refused when another resource has been attached meanwhile', () => {
    const occupied = { ...bench, resource_id: 'Q' };
    expect(attachPremise(failIfRead, bench, plate).evaluate([occupied])).toMatchObject({ kind: 'refused' });
  });
});
