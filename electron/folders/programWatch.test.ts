import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { silentLog } from '../../server/logging/log.ts';
import { ProgramWatch } from './programWatch.ts';

const checkIntervalMs = 5000;

describe('the watch of the program', () => {
  let watch: ProgramWatch;
  const onReplaced = vi.fn<() => void>();
  let programId: string | null = 'old';

  beforeEach(() => {
    vi.useFakeTimers();
    onReplaced.mockClear();
    programId = 'old';
    watch = new ProgramWatch('/opt/lab-manager/lab-manager', silentLog, onReplaced, async () => {
      if (programId === null) throw new Error('ENOENT');
      return programId;
    });
    watch.start();
  });
  afterEach(() => {
    watch.stop();
    vi.useRealTimers();
  });

  it('reports no replacement of an unchanged program', async () => {
    await vi.advanceTimersByTimeAsync(10 * checkIntervalMs);
    expect(watch.isReplaced).toBe(false);
    expect(onReplaced).not.toHaveBeenCalled();
  });

  it('reports a replacement once, after the second check of the new program', async () => {
    await vi.advanceTimersByTimeAsync(checkIntervalMs);
    programId = 'new';
    await vi.advanceTimersByTimeAsync(checkIntervalMs);
    expect(watch.isReplaced).toBe(false);
    await vi.advanceTimersByTimeAsync(checkIntervalMs);
    expect(watch.isReplaced).toBe(true);
    await vi.advanceTimersByTimeAsync(10 * checkIntervalMs);
    expect(onReplaced).toHaveBeenCalledOnce();
  });

  it('waits for the new program while the files are being replaced', async () => {
    await vi.advanceTimersByTimeAsync(checkIntervalMs);
    programId = null;
    await vi.advanceTimersByTimeAsync(3 * checkIntervalMs);
    expect(watch.isReplaced).toBe(false);
    programId = 'new';
    await vi.advanceTimersByTimeAsync(2 * checkIntervalMs);
    expect(watch.isReplaced).toBe(true);
  });

  it('reports nothing when the program is the same after the replacement', async () => {
    await vi.advanceTimersByTimeAsync(checkIntervalMs);
    programId = null;
    await vi.advanceTimersByTimeAsync(3 * checkIntervalMs);
    programId = 'old';
    await vi.advanceTimersByTimeAsync(3 * checkIntervalMs);
    expect(onReplaced).not.toHaveBeenCalled();
  });
});
