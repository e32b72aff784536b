import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { useManualClock } from '../../api/fixtures/manualClock.ts';
import { makeTempFolder } from '../../server/fixtures/tempFolder.ts';
import { findHungApp, keepRenewed, waitForQuit } from './singleInstance.ts';

vi.mock('electron', () => ({ app: {} }));

it.each([
  ['the end of the app', { isOwner: false, otherPid: 7 }, 3, { code: 0, text: 'Lab Manager (process 7) has ended' }],
  ['no running app', { isOwner: true, otherPid: null }, 0, { code: 4, text: 'Lab Manager is not running' }],
  [
    'an app that does not end',
    { isOwner: false, otherPid: 7 },
    Infinity,
    { code: 1, text: 'Lab Manager (process 7) did not end within 15 s' },
  ],
  [
    'an app that Chromium killed because it did not respond',
    { isOwner: true, otherPid: 7 },
    0,
    { code: 0, text: 'Lab Manager (process 7) has ended' },
  ],
])('waitForQuit reports %s', (_name, lock, waitsUntilEnd, outcome) => {
  let waits = 0;
  const result = waitForQuit(
    lock,
    () => waits < waitsUntilEnd,
    () => (waits += 1),
  );
  expect(result).toEqual(outcome);
});

describe.runIf(process.platform === 'linux')('a running app', () => {
  const hang = () => undefined;

  it('counts as hung if it neither renewed its lock for 10 s nor renews it while a second start waits', async () => {
    const time = useManualClock();
    await using temporary = await makeTempFolder();
    const find = (wait: () => void) => findHungApp(temporary.path, wait);
    expect(find(hang)).toBeNull();
    keepRenewed(temporary.path);
    await time.advance(20_000);
    expect(find(hang)).toBeNull();
    time.setTime(time.now() + 11_000);
    const renewed = join(temporary.path, 'renewed');
    expect(find(() => utimesSync(renewed, time.now() / 1000, time.now() / 1000))).toBeNull();
    time.setTime(time.now() + 11_000);
    expect(find(hang)).toBe(process.pid);
  });

  it('does not count as hung after its end, nor does another process with its ID', async () => {
    useManualClock();
    await using temporary = await makeTempFolder();
    const renewed = join(temporary.path, 'renewed');
    for (const identity of ['', '1', `${process.pid} 1`, `${2 ** 30} 5`]) {
      writeFileSync(renewed, identity);
      utimesSync(renewed, 0, 0);
      expect(findHungApp(temporary.path, hang), identity).toBeNull();
    }
  });
});
