/** Acknowledged records survive a process that is killed at any moment. */
import { expect, it } from 'vitest';
import { killWriters } from '../fixtures/killedWriter.ts';

/** `npm run bench -- parts` kills it 200 times. */
const rounds = 20;

it(`the history loses no acknowledged record in ${rounds} kills`, async () => {
  const { results, messages } = await killWriters(rounds);
  expect(results).toHaveLength(rounds);
  for (const { acknowledged, stored } of results) {
    expect(stored).toEqual(Array.from({ length: stored.length }, (_, index) => index));
    expect(stored.length).toBeGreaterThan(acknowledged);
  }
  expect(messages).toEqual([]);
});
