import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { inComponent } from '../../fixtures/mounted.ts';
import { useLastLook, lookBefore } from './lastLook.ts';

const evening = new Date(2026, 10, 21, 18).getTime();
const morning = new Date(2026, 10, 22, 8).getTime();
const minute = 60_000;

/** Somebody opens the Overview and leaves it. */
function look(at: number): number | null {
  vi.setSystemTime(at);
  const { result, unmount } = inComponent(useLastLook);
  unmount();
  return result.time.value;
}

describe('the previous visit', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('is null at first and stays yesterday’s during the whole next morning', () => {
    expect(lookBefore()).toBeNull();
    look(evening);
    expect(lookBefore()).toBeNull();
    vi.setSystemTime(morning);
    expect(lookBefore()).toBe(evening);
    expect(look(morning)).toBe(evening);
    expect(lookBefore()).toBe(evening);
    // The Overview itself tells from the last look on.
    expect(look(morning + 5 * minute)).toBe(morning);
    expect(lookBefore()).toBe(evening);
    vi.setSystemTime(morning + 3 * 60 * minute);
    expect(lookBefore()).toBe(morning + 5 * minute);
  });
});
