import { describe, expect, it } from 'vitest';
import { bestMatches, matchScore } from './match.ts';

describe('matchScore', () => {
  it.each([
    ['growth', 'Growth assay, plate 14'],
    ['plate 14 growth', 'Growth assay, plate 14'],
    ['lh1', 'liquidhandler_1'],
    ['zurich', 'Reader Zürich'],
    ['', 'anything'],
    ['a.b', 'protocol a.b'],
  ])('“%s” finds “%s”', (query, text) => {
    expect(matchScore(query, text)).toBeGreaterThan(0);
  });

  it.each([
    ['growth plate 15', 'Growth assay, plate 14'],
    ['x', 'Growth'],
    ['a.b', 'protocol acb'],
    ['handlerliquid', 'liquidhandler_1'],
  ])('“%s” does not find “%s”', (query, text) => {
    expect(matchScore(query, text)).toBe(0);
  });

  it('prefers the whole, then the start, then the start of a word, then the inside, then gaps', () => {
    const texts = ['arm', 'arms', 'robot arm', 'alarm', 'area map'];
    const found = texts.map((text) => matchScore('arm', text));
    expect(found).toEqual(found.toSorted((a, b) => b - a));
    expect(new Set(found).size).toBe(texts.length);
  });
});

it('bestMatches: by title before by second names, heavier first, no more than asked for', () => {
  const entries = [
    { title: 'Old growth', weight: 0 },
    { title: 'Something', also: ['growth'] },
    { title: 'Old growth', weight: 5, key: 'running' },
    { title: 'Other' },
  ];
  expect(bestMatches('growth', entries, 2)).toEqual([entries[2], entries[0]]);
  expect(bestMatches('growth', entries, 9)).toHaveLength(3);
});
