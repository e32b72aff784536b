import { expect, it } from 'vitest';
import { checkRepresentation } from './schemaCheck.ts';

const template = {
  required_overrides: ['slot'],
  schema_def: {
    type: 'object',
    properties: {
      slot: { type: 'integer', minimum: 1 },
      position: { type: 'array', items: { type: 'number' }, minItems: 3, maxItems: 3 },
      gripper: { enum: ['wide', 'narrow'] },
    },
  },
};

it.each<[unknown, string[], string[]]>([
  [{ slot: 1, position: [1, 2, 3], gripper: 'wide', more: true }, [], []],
  [{ slot: 0 }, ['slot'], []],
  [{ slot: 1, position: [1, 'x', 3] }, ['position.1'], []],
  [{ slot: 1, position: [1] }, ['position'], []],
  [{ slot: 1, gripper: 'none' }, ['gripper'], []],
  [{}, [], ['slot']],
  ['above', [''], ['slot']],
])('checkRepresentation finds in %j errors at %j and missing fields %j', (value, paths, missing) => {
  const result = checkRepresentation(template, value);
  expect(result.problems.map((problem) => problem.path)).toEqual(paths);
  expect(result.missing).toEqual(missing);
  expect(result.unreadable).toBeNull();
});

it('checkRepresentation reports why a schema can’t be used', () => {
  const schema_def = { type: 'object', properties: { slot: { $ref: 'https://example.org/slot' } } };
  expect(checkRepresentation({ schema_def }, { slot: 1 })).toMatchObject({
    problems: [],
    unreadable: expect.stringContaining('ref'),
  });
});

it('checkRepresentation accepts every value without a schema', () => {
  expect(checkRepresentation({ schema_def: null }, 3)).toEqual({ problems: [], missing: [], unreadable: null });
});
