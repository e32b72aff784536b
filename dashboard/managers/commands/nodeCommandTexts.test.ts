import { expect, it } from 'vitest';
import { nodeCommandTable } from '../guards/nodeCommandTable.ts';
import { nodeCommandTexts } from './nodeCommandTexts.ts';

const { summary } = nodeCommandTexts.all;

it.each([
  ['pause', { done: 2, failed: 0, unclear: 0, skipped: 3, already: 0 }, '2 of 5 nodes paused, 3 can’t be paused'],
  [
    'lock',
    { done: 3, failed: 1, unclear: 1, skipped: 0, already: 0 },
    '3 of 5 nodes locked, 1 failed, 1 not confirmed',
  ],
  ['lock', { done: 8, failed: 0, unclear: 0, skipped: 1, already: 1 }, '8 of 9 nodes locked, 1 was locked already'],
  [
    'pause',
    { done: 2, failed: 0, unclear: 0, skipped: 3, already: 2 },
    '2 of 5 nodes paused, 2 were paused already, 1 can’t be paused',
  ],
  ['reset', { done: 1, failed: 0, unclear: 0, skipped: 0, already: 0 }, '1 of 1 node reset'],
] as const)('the summary of “%s” to all nodes counts each outcome', (command, counts, expected) => {
  expect(summary(nodeCommandTable[command].toAll.outcomes, counts)).toBe(expected);
});
