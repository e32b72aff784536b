import { describe, expect, it } from 'vitest';
import { bestMatches, matchScore } from './match.ts';
import { paletteTexts } from '../texts.ts';

describe('matchScore', () => {
  it.each([
    ['growth', 'Growth assay, plate 14'],
    ['plate 14 growth', 'Growth assay, plate 14'],
    ['lh1', 'liquidhandler_1'],
    ['zurich', 'Reader Zürich'],
    ['', 'anything'],
    ['a.b', 'protocol a.b'],
  ])('is positive for “%s” in “%s”', (query, text) => {
    expect(matchScore(query, text)).toBeGreaterThan(0);
  });

  it.each([
    ['growth plate 15', 'Growth assay, plate 14'],
    ['x', 'Growth'],
    ['a.b', 'protocol acb'],
    ['handlerliquid', 'liquidhandler_1'],
  ])('is 0 for “%s” in “%s”', (query, text) => {
    expect(matchScore(query, text)).toBe(0);
  });

  it('is highest for the whole text, then for its start, the start of a word, its inside and a text with gaps', () => {
    const texts = ['arm', 'arms', 'robot arm', 'alarm', 'area map'];
    const scores = texts.map((text) => matchScore('arm', text));
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(new Set(scores).size).toBe(texts.length);
  });
});

it('bestMatches lists titles before alternative names, and higher weights first, up to its limit', () => {
  const entries = [
    { title: 'Old growth', weight: 0 },
    { title: 'Something', alternativeNames: ['growth'] },
    { title: 'Old growth', weight: 5, key: 'running' },
    { title: 'Other' },
  ];
  expect(bestMatches('growth', entries, 2)).toEqual([entries[2], entries[0]]);
  expect(bestMatches('growth', entries, 9)).toHaveLength(3);
});

describe('the safety stop in the palette', () => {
  const stop = {
    title: 'Safety stop: stop every node now',
    alternativeNames: paletteTexts.stopNames,
    names: paletteTexts.stopNames,
  };
  const others = [
    { title: 'Stop watch', weight: 8 },
    { title: 'Safety cabinet', weight: 20 },
    { title: 'Halt', weight: 8 },
    { title: 'Emergency kit', weight: 8 },
    { title: 'estop', weight: 8 },
  ];

  it.each(['safety', 'stop', 'Emergency', 'estop', 'e-stop', 'halt', 'abort', 'Abort all', 'Safety stop '])(
    'is the first result for “%s”',
    (query) => {
      expect(bestMatches(query, [...others, stop], 12)[0]).toBe(stop);
    },
  );

  it.each(['', 'n', 'sn', 'now'])('is not the first result for “%s”, so that Enter does not stop the lab', (query) => {
    expect(bestMatches(query, [{ title: 'Nodes now', weight: 8 }, stop], 12)[0]).not.toBe(stop);
  });
});
