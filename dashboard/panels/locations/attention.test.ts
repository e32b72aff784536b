import { describe, expect, it } from 'vitest';
import { sampleLocation } from '../../fixtures/sampleLocation.ts';
import { createAttentionItems } from './attention.ts';

const now = Date.UTC(2026, 0, 15, 12);
const parseStamp = (stamp: string | null | undefined) => (stamp ? Date.parse(stamp) : null);
const reserved = (expires: string) =>
  sampleLocation('rack', { reservation: { owned_by: {}, created: '2026-01-01T00:00:00Z', expires } });

describe('createAttentionItems', () => {
  it.each([
    [sampleLocation('rack'), []],
    [sampleLocation('rack', { resource_template_name: 'nest' }), ['location id-of-rack']],
    [sampleLocation('rack', { resource_template_name: 'nest', resource_id: 'plate' }), []],
    [reserved('2026-01-20T00:00:00Z'), []],
    // The manager's host may be in another time zone.
    [reserved('2026-01-15T10:00:00Z'), []],
    [reserved('2026-01-13T00:00:00Z'), [`reservation id-of-rack ${Date.UTC(2026, 0, 13)}`]],
  ])('returns an item for each reason that a location needs attention (case %#)', (location, keys) => {
    expect(createAttentionItems([location], parseStamp, now).map(({ key }) => key)).toEqual(keys);
  });

  it('returns the name of the location and the end of its expired reservation', () => {
    const [item] = createAttentionItems([reserved('2026-01-13T00:00:00Z')], parseStamp, now);
    expect(item).toMatchObject({ name: 'rack', since: Date.UTC(2026, 0, 13) });
  });
});
