import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runInComponent } from '../../fixtures/mounted.ts';
import { useLastVisit, previousVisit } from './lastVisit.ts';

const evening = new Date(2026, 10, 21, 18).getTime();
const morning = new Date(2026, 10, 22, 8).getTime();
const minute = 60_000;

/** Opens the Overview and leaves it. */
function visitOverview(at: number): number | null {
  vi.setSystemTime(at);
  const { result, unmount } = runInComponent(useLastVisit);
  unmount();
  return result.time.value;
}

describe('the previous visit', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('is null at first, and changes only after a gap between two visits', () => {
    expect(previousVisit()).toBeNull();
    visitOverview(evening);
    expect(previousVisit()).toBeNull();
    vi.setSystemTime(morning);
    expect(previousVisit()).toBe(evening);
    expect(visitOverview(morning)).toBe(evening);
    expect(previousVisit()).toBe(evening);
    // The Overview itself shows changes since the last visit.
    expect(visitOverview(morning + 5 * minute)).toBe(morning);
    expect(previousVisit()).toBe(evening);
    vi.setSystemTime(morning + 3 * 60 * minute);
    expect(previousVisit()).toBe(morning + 5 * minute);
  });
});
