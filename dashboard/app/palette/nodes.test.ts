import { expect, it } from 'vitest';
import { sampleNode } from '../../fixtures/sampleWorkflow.ts';
import { unconfirmedAppearance } from '#api/safetyStop/unconfirmedNodes.ts';
import { nodeEntries } from '../../panels/workcells/palette.ts';
import { bestMatches } from './match.ts';

const nodes = {
  arm_1: sampleNode(),
  arm_2: sampleNode({ paused: true }),
  reader: sampleNode({ errored: true }),
  washer: sampleNode({ disconnected: true }),
};
const searchNodes = (query: string, unconfirmed: readonly string[] = []) => {
  const entries = nodeEntries(nodes, [], new Map(unconfirmed.map((name) => [name, ''])));
  return bestMatches(query, entries, 12).map(({ title, subtitle }) =>
    subtitle?.startsWith(unconfirmedAppearance.label) === true ? `${title}: ${subtitle}` : title,
  );
};

it('a command lists the nodes that need it first and omits nodes where it would change nothing', () => {
  expect(searchNodes('reset')).toEqual(['Reset washer…', 'Reset reader…']);
  expect(searchNodes('resume')).toEqual(['Resume arm_2…']);
  expect(searchNodes('unlock')).toEqual([]);
  // `arm_2` matches the query by its state, Paused.
  expect(searchNodes('pause')).toEqual(['Pause arm_1…', 'arm_2']);
});

it('a node comes before its commands, and a node that needs attention before the others', () => {
  expect(searchNodes('arm')[0]).toBe('arm_2');
  expect(searchNodes('reader')[0]).toBe('reader');
});

it('a node that did not confirm the safety stop comes first and shows this state', () => {
  expect(searchNodes('arm', ['arm_1'])[0]).toBe('arm_1: Not stopped, Ready');
  expect(searchNodes('r', ['arm_1'])[0]).toBe('arm_1: Not stopped, Ready');
  expect(searchNodes('not stopped', ['reader'])).toEqual(['reader: Not stopped, Error']);
});
