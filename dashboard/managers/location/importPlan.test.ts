import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { Location } from '#api/managers/location.ts';
import { sampleLocation } from '../../fixtures/sampleLocation.ts';
import { addLocation } from './saveLocation.ts';
import { importOutcomes, importPremise, createImportPlan, locationsToSend, type ImportLine } from './importPlan.ts';
import { findDifferences, withAllFields, findNameProblem } from './locationFields.ts';
import { sameValue } from '#api/sameJson.ts';
import { serializeLocations, readLocationFile } from './locationFile.ts';

const id = (last: string): string => `01K5HDZZCF27YHD2WDGSXFPPK${last}`;
const stored: Location = {
  location_name: 'rack',
  location_id: id('A'),
  resource_id: 'plate',
  description: 'By the door',
  representations: { arm: { x: 1, y: 2 } },
  resource_template_name: null,
  resource_template_overrides: null,
  allow_transfers: true,
  reservation: null,
  location_template_name: null,
  node_bindings: null,
  managed_by: 'lab',
  owner: null,
};
const createLine = (entry: unknown, storedLocations: readonly Location[] = [stored]): ImportLine => {
  const [line] = createImportPlan([entry], storedLocations);
  if (line === undefined) throw new Error('There is no line');
  return line;
};

describe('findNameProblem', () => {
  it.each([
    ['bench_1.a-b', null],
    ['Tür', null],
    ['', 'Enter a name.'],
    ['a b', expect.stringContaining('letters, digits')],
    ['a/b', expect.stringContaining('letters, digits')],
    ['rack', 'A location has this name already.'],
  ])('returns for %j: %s', (name, problem) => expect(findNameProblem(name, new Set(['rack']))).toEqual(problem));
});

describe('the plan of an import', () => {
  it.each<[unknown, object]>([
    [{ location_name: 'new' }, { kind: 'new' }],
    [{ name: 'new' }, { kind: 'new', name: 'new' }],
    [stored, { kind: 'same' }],
    [{ ...stored, location_id: id('B') }, { kind: 'same' }],
    [{ ...stored, representations: { arm: { y: 2, x: 1 } } }, { kind: 'same' }],
    ['rack', { kind: 'invalid', reason: 'It is not an object with fields.' }],
    [{ location_name: 'a b' }, { kind: 'invalid', reason: expect.stringMatching(/^A name consists/) }],
    [{ location_name: 7 }, { kind: 'invalid', reason: expect.stringMatching(/^location_name is missing/) }],
    [
      { location_name: 'x', allow_transfers: 'yes' },
      { kind: 'invalid', reason: expect.stringMatching(/^allow_transfers is missing/) },
    ],
    [
      JSON.parse('{"location_name": "x", "representations": {"__proto__": 1}}'),
      { kind: 'invalid', reason: expect.stringContaining('named representations.__proto__:') },
    ],
    [
      JSON.parse('{"location_name": "x", "__proto__": 1}'),
      { kind: 'invalid', reason: expect.stringContaining('named __proto__:') },
    ],
    [
      { location_name: 'x', representations: null },
      { kind: 'invalid', reason: expect.stringMatching(/^representations is missing/) },
    ],
    [
      { location_name: 'x', location_id: 'short' },
      { kind: 'invalid', reason: expect.stringMatching(/^short is not a ULID/) },
    ],
    [
      { location_name: 'x', location_id: id('A') },
      { kind: 'invalid', reason: expect.stringMatching(/^Its ID is that of rack:/) },
    ],
  ])('classifies %j as %j', (entry, line) => expect(createLine(entry)).toMatchObject(line));

  it('lists each field that would be overwritten, with each node’s representation separately', () => {
    const line = createLine({
      location_name: 'rack',
      description: 'New',
      representations: { arm: { x: 1, y: 2 }, mover: 3 },
    });
    expect(line).toMatchObject({
      kind: 'differs',
      differences: [
        // A field that the file omits is reset, because the manager replaces the whole location.
        { field: 'resource_id', storedValue: 'plate', importedValue: null },
        { field: 'description', storedValue: 'By the door', importedValue: 'New' },
        { field: 'representations.mover', storedValue: undefined, importedValue: 3 },
      ],
    });
  });

  it('the plan rejects a new location with the ID of an earlier entry', () => {
    const plan = createImportPlan(
      ['a', 'b'].map((name) => ({ location_name: name, location_id: id('Z') })),
      [],
    );
    expect(plan).toMatchObject([
      { kind: 'new' },
      { kind: 'invalid', reason: expect.stringMatching(/^Its ID is that of a:/) },
    ]);
  });

  it('rejects a name that occurs twice', () => {
    const [first, second] = createImportPlan([{ location_name: 'a' }, { location_name: 'a' }], []);
    expect([first?.kind, second]).toMatchObject([
      'new',
      { kind: 'invalid', reason: expect.stringContaining('this name twice') },
    ]);
    const storedLocations = [sampleLocation('rack', { location_id: id('A') })];
    const plan = createImportPlan(
      [{ location_name: 'a', location_id: id('A') }, { location_name: 'a' }],
      storedLocations,
    );
    expect(plan.map(({ kind }) => kind)).toEqual(['invalid', 'new']);
  });

  it('sends no invalid or unchanged entries, and only new ones unless it may overwrite', () => {
    const plan = createImportPlan(
      [{ location_name: 'new' }, { location_name: 'rack' }, { location_name: 'a b' }],
      [stored],
    );
    expect(locationsToSend(plan, false).map((location) => location.location_name)).toEqual(['new']);
    expect(locationsToSend(plan, true).map((location) => location.location_name)).toEqual(['new', 'rack']);
    expect(locationsToSend(createImportPlan([stored], [stored]), true)).toEqual([]);
  });

  it('keeps fields that only newer versions of MADSci have', () => {
    expect(withAllFields({ ...stored, colour: 'red' })).toMatchObject({ colour: 'red' });
    expect(findDifferences(stored, { ...withAllFields(stored), colour: 'red' })).toEqual([
      { field: 'colour', storedValue: undefined, importedValue: 'red' },
    ]);
  });
});

describe('the premise of an import', () => {
  const entries = [{ location_name: 'new' }, { ...stored, description: 'By the window' }];
  const evaluate = (overwrite: boolean, current: readonly Location[]) =>
    importPremise(
      () => ({ getLocations: async () => Promise.resolve([]) }),
      entries,
      createImportPlan(entries, [stored]),
      overwrite,
    ).evaluate(current);

  it.each([false, true])('is met by unchanged locations (overwrite: %s)', (overwrite) => {
    expect(evaluate(overwrite, [stored])).toEqual({ kind: 'same' });
  });

  it.each([false, true])('names a location that was added meanwhile (overwrite: %s)', (overwrite) => {
    const added = { ...stored, location_name: 'new', location_id: id('B') };
    expect(JSON.stringify(evaluate(overwrite, [stored, added]))).toContain('“new”');
  });

  it('names a location whose stored values were changed meanwhile, if they are overwritten', () => {
    const changed = { ...stored, description: 'In the cellar' };
    expect(JSON.stringify(evaluate(true, [changed]))).toContain('“rack”');
    expect(evaluate(false, [changed])).toEqual({ kind: 'same' });
  });
});

describe('the result of an import', () => {
  it('lists the manager’s result for each location', () => {
    const sentLocations = ['a', 'b', 'c'].map((name) => ({ location_name: name }));
    const response = {
      imported: 1,
      skipped: 1,
      errors: ["Error importing location 'b': no"],
      locations: [{ ...stored, location_name: 'a' }],
    };
    expect(importOutcomes(sentLocations, response)).toEqual([
      { name: 'a', result: 'imported', id: stored.location_id },
      { name: 'b', result: 'failed', reason: "Error importing location 'b': no" },
      { name: 'c', result: 'skipped' },
    ]);
  });
});

describe('a file of locations', () => {
  it.each([
    ['[{"location_name": "a"}]', { ok: true, entries: [{ location_name: 'a' }] }],
    ['training: []\nlocations:\n  - location_name: a\n', { ok: true, entries: [{ location_name: 'a' }] }],
    ['{"locations": []}', { ok: true, entries: [] }],
    ['- {location_name: a, reservation: 1:30}', { ok: true, entries: [{ location_name: 'a', reservation: 90 }] }],
    [
      'defaults: &d { allow_transfers: false }\nlocations:\n  - location_name: a\n    <<: *d\n',
      { ok: true, entries: [{ location_name: 'a', allow_transfers: false }] },
    ],
    ['- location_name: a\n  description: *gone', { kind: 'text', reason: expect.stringMatching(/^Line 2, .*&gone/) }],
    ['- location_name: a\n  <<: 3', { ok: false, kind: 'text' }],
    ['name: a', { ok: false, kind: 'shape' }],
    ['', { ok: false, kind: 'shape' }],
    ['[{"location_name": "a"}', { ok: false, kind: 'text' }],
    ['- location_name: a\n  representations: { arm: .nan }', { ok: false, kind: 'text' }],
    ['[{"location_name": "a", "representations": {"arm": [1e400]}}]', { ok: false, kind: 'text' }],
    ['[{"location_name": "a", "representations": {"arm": [NaN, -Infinity]}}]', { ok: false, kind: 'text' }],
    [
      '[{"location_name": "a", "location_name": "b"}]',
      { kind: 'text', reason: expect.stringContaining('location_name') },
    ],
    [
      '- location_name: a\n  location_name: b',
      { kind: 'text', reason: expect.stringMatching(/^Line 2, character 3: /) },
    ],
    ['['.repeat(300_000), { kind: 'text', reason: expect.stringContaining('nested too deeply') }],
    [`locations: &a [*a]`, { kind: 'text', reason: expect.stringContaining('part of its own value') }],
    ['[{"location_name": "a", "description": "NaN"}]', { ok: true, entries: [{ description: 'NaN' }] }],
  ])('returns its entries or its problem when it contains %j', (text, expected) =>
    expect(readLocationFile(text)).toMatchObject(expected),
  );

  it('is imported unchanged after an export', () => {
    const name = fc.stringMatching(/^[a-zA-Z0-9_.-]{1,12}$/);
    const locationArbitrary = fc.record({
      location_name: name,
      description: fc.option(fc.string()),
      representations: fc.dictionary(
        fc.string({ minLength: 1 }).filter((node) => node !== '__proto__'),
        fc.jsonValue(),
      ),
      allow_transfers: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.uniqueArray(locationArbitrary, { selector: (location) => location.location_name, maxLength: 4 }),
        (importedLocations) => {
          const known = importedLocations.map((entry, index): Location => ({
            ...stored,
            ...entry,
            location_id: id(String(index)),
          }));
          const read = readLocationFile(serializeLocations(known));
          if (!read.ok) throw new Error('It could not be read');
          expect(createImportPlan(read.entries, known).map(({ kind }) => kind)).toEqual(known.map(() => 'same'));
          const fresh = createImportPlan(read.entries, []);
          expect(locationsToSend(fresh, false).every((entry, index) => sameValue(entry, known[index]))).toBe(true);
        },
      ),
    );
  });
});

describe('adding a location with a resource', () => {
  const addedLocation = { ...stored, resource_id: null };
  const client = () => ({
    addLocation: vi.fn(async () => addedLocation),
    attachResource: vi.fn(async () => stored),
    detachResource: vi.fn(async () => stored),
  });

  it('attaches the resource afterwards', async () => {
    const locationClient = client();
    expect(await addLocation(locationClient, { location_name: 'rack' }, 'plate', [])).toEqual({
      location: stored,
      attachFailure: null,
    });
    expect(locationClient.attachResource).toHaveBeenCalledWith(
      expect.objectContaining({ location_name: 'rack', resource_id: 'plate' }),
    );
  });

  it('first detaches the resource from its current location', async () => {
    const locationClient = client();
    const storedLocation = sampleLocation('shelf', { resource_id: 'plate' });
    await addLocation(locationClient, { location_name: 'rack' }, 'plate', [storedLocation]);
    expect(locationClient.detachResource).toHaveBeenCalledWith(
      expect.objectContaining({ location_name: storedLocation.location_name }),
    );
    expect(locationClient.attachResource).toHaveBeenCalledOnce();
  });

  it('reports why the resource was not attached when only the location was added', async () => {
    const failingClient = { ...client(), attachResource: vi.fn(async () => Promise.reject(new Error('gone'))) };
    expect(await addLocation(failingClient, { location_name: 'rack' }, 'plate', [])).toEqual({
      location: addedLocation,
      attachFailure: 'gone',
    });
  });

  it('attaches nothing without a resource or without a new location', async () => {
    const locationClient = client();
    await addLocation(locationClient, { location_name: 'rack' }, null, []);
    locationClient.addLocation.mockRejectedValueOnce(new Error('taken'));
    await expect(addLocation(locationClient, { location_name: 'rack' }, 'plate', [])).rejects.toThrow('taken');
    expect(locationClient.attachResource).not.toHaveBeenCalled();
  });
});
