import { describe, expect, it } from 'vitest';
import { sampleLocation } from '../../fixtures/sampleLocation.ts';
import { MissingObjectError } from '../commands/premise.ts';
import { attachPremise } from './locationPremise.ts';

const bench = sampleLocation('bench', { resource_id: null });
const shelf = sampleLocation('shelf', { resource_id: 'P' });
const failIfRead = () => {
  throw new Error('Nothing is read here.');
};
const plate = { id: 'P', name: 'plate', parent: null };

describe('attaching a resource', () => {
  it('needs no confirmation when the resource is at no location', () => {
    expect(attachPremise(failIfRead, bench, plate, failIfRead).evaluate([bench])).toEqual({ kind: 'same' });
  });

  it('offers to move a resource that is at another location', () => {
    expect(attachPremise(failIfRead, bench, plate, failIfRead).evaluate([bench, shelf])).toEqual({
      kind: 'changed',
      title: '“plate” is at “shelf”. Move it?',
      differences: ['“plate” is detached from “shelf” first: it can be at only one location.'],
      action: 'Move it here',
    });
  });

  it('warns that a resource in a container stays in it', () => {
    expect(attachPremise(failIfRead, bench, { ...plate, parent: 'rack' }, failIfRead).evaluate([bench])).toMatchObject({
      differences: ['“plate” is in “rack”, and stays in it: attaching it does not take it out.'],
    });
  });

  it('is refused when another resource has been attached meanwhile', () => {
    const occupied = { ...bench, resource_id: 'Q' };
    expect(attachPremise(failIfRead, bench, plate, failIfRead).evaluate([occupied])).toMatchObject({ kind: 'refused' });
  });

  it('is refused when the resource has been removed meanwhile, which the location manager does not check', async () => {
    const client = () => ({ getLocations: async () => [bench] });
    const options = { signal: new AbortController().signal, timeoutMs: 1000 };
    const readRemoved = async () => {
      throw new MissingObjectError('It is no longer in the lab.');
    };
    const { read } = attachPremise(client, bench, plate, readRemoved);
    await expect(read(options)).rejects.toThrow(MissingObjectError);
    expect(await attachPremise(client, bench, plate, async () => undefined).read(options)).toEqual([bench]);
    expect(await attachPremise(client, bench, null, readRemoved).read(options)).toEqual([bench]);
  });
});
