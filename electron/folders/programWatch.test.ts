import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { silentLog } from '../../server/logging/log.ts';
import { ProgramWatch } from './programWatch.ts';

const checkMs = 5000;

describe('the watch of the program', () => {
  let watch: ProgramWatch;
  const onReplaced = vi.fn<() => void>();
  let current: string | null = 'old';

  beforeEach(() => {
    vi.useFakeTimers();
    onReplaced.mockClear();
    current = 'old';
    watch = new ProgramWatch('/opt/lab-manager/lab-manager', silentLog, onReplaced, async () => {
      if (current === null) throw new Error('ENOENT');
      return current;
    });
    watch.start();
  });
  afterEach(() => {
    watch.stop();
    vi.useRealTimers();
  });

  it('reports no replacement of an unchanged program', async () => {
    await vi.advanceTimersByTimeAsync(10 * checkMs);
    expect(watch.isReplaced).toBe(false);
    expect(onReplaced).not.toHaveBeenCalled();
  });

  it('reports a replacement once, after the second check of the new program', async () => {
    await vi.advanceTimersByTimeAsync(checkMs);
    current = 'new';
    await vi.advanceTimersByTimeAsync(checkMs);
    expect(watch.isReplaced).toBe(false);
    await vi.advanceTimersByTimeAsync(checkMs);
    expect(watch.isReplaced).toBe(true);
    await vi.advanceTimersByTimeAsync(10 * checkMs);
    expect(onReplaced).toHaveBeenCalledOnce();
  });

  it('waits for the new program while the files are being replaced', async () => {
    await vi.advanceTimersByTimeAsync(checkMs);
    current = null;
    await vi.advanceTimersByTimeAsync(3 * checkMs);
    expect(watch.isReplaced).toBe(false);
    current = 'new';
    await vi.advanceTimersByTimeAsync(2 * checkMs);
    expect(watch.isReplaced).toBe(true);
  });

  it('reports no replacement by the same program', async () => {
    await vi.advanceTimersByTimeAsync(checkMs);
    current = null;
    await vi.advanceTimersByTimeAsync(3 * checkMs);
    current = 'old';
    await vi.advanceTimersByTimeAsync(3 * checkMs);
    expect(onReplaced).not.toHaveBeenCalled();
  });
});
