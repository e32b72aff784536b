import { expect, it } from 'vitest';
import { sampleNode } from '../../fixtures/workflow.ts';
import { nodeEntries } from '../../panels/workcells/palette.ts';
import { bestMatches } from './match.ts';

const nodes = {
  arm_1: sampleNode(),
  arm_2: sampleNode({ paused: true }),
  reader: sampleNode({ errored: true }),
  washer: sampleNode({ disconnected: true }),
};
const found = (query: string) => bestMatches(query, nodeEntries(nodes, []), 12).map(({ title }) => title);

it('finds first the node that needs it, and offers no command that would change nothing', () => {
  expect(found('reset')).toEqual(['Reset washer…', 'Reset reader…']);
  expect(found('resume')).toEqual(['Resume arm_2…']);
  expect(found('unlock')).toEqual([]);
  // The other one is found by its state.
  expect(found('pause')).toEqual(['Pause arm_1…', 'arm_2']);
});

it('finds the node itself before its commands, and of nodes the one in need before the others', () => {
  expect(found('arm')[0]).toBe('arm_2');
  expect(found('reader')[0]).toBe('reader');
});
