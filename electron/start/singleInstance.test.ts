import { expect, it, vi } from 'vitest';
import { useManualClock } from '../../api/fixtures/manualClock.ts';
import { makeTempFolder } from '../../server/fixtures/tempFolder.ts';
import { isHung, isOwnProgram, renewLock, waitForQuit } from './singleInstance.ts';

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

it('an app counts as hung only if it neither renewed its lock for 10 s nor renews it while a second start waits', async () => {
  const time = useManualClock();
  await using temporary = await makeTempFolder();
  const renew = () => renewLock('', temporary.path);
  expect(isHung(temporary.path, () => undefined)).toBe(false);
  renew();
  renew();
  expect(isHung(temporary.path, () => undefined)).toBe(false);
  await time.advance(11_000);
  expect(isHung(temporary.path, renew)).toBe(false);
  await time.advance(11_000);
  expect(isHung(temporary.path, () => undefined)).toBe(true);
});

it.runIf(process.platform === 'linux')('only a process of this program counts as a hung app', () => {
  expect([process.pid, 1, 2 ** 30].map(isOwnProgram)).toEqual([true, false, false]);
});
