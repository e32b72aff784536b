import { describe, expect, it } from 'vitest';
import { nextPanel } from './kioskRotation.ts';

const panels = [
  { name: 'overview', kioskSeconds: 60 },
  { name: 'events', kioskSeconds: 0 },
  { name: 'lab', kioskSeconds: 20 },
];

describe('nextPanel', () => {
  it.each([
    ['overview', true, 'lab'],
    ['lab', true, 'overview'],
    ['events', true, 'overview'],
    ['notFound', true, 'overview'],
    ['lab', false, 'overview'],
    ['overview', false, 'overview'],
  ])('after %s, well %s: %s', (name, well, next) => {
    expect(nextPanel(panels, name, well)?.name).toBe(next);
  });

  it('is nobody where no panel takes part', () => {
    expect(nextPanel([], 'overview', true)).toBeUndefined();
  });
});
