import { expect, it } from 'vitest';
import { describeCrash, type EndedProcess } from './crashTexts.ts';

it.each<[string, EndedProcess, ReturnType<typeof describeCrash>]>([
  [
    'a page that crashed',
    { type: 'Tab', reason: 'crashed', exitCode: 139 },
    { process: 'page', reason: 'crashed (exit code 139)', exitCode: 139, isOwnFault: true },
  ],
  [
    'a page without memory',
    { type: 'Tab', reason: 'oom', exitCode: 0 },
    { process: 'page', reason: 'ran out of memory', exitCode: 0, isOwnFault: true },
  ],
  ['a page that was closed', { type: 'Tab', reason: 'clean-exit', exitCode: 0 }, null],
  [
    'a crash of the graphics process',
    { type: 'GPU', reason: 'launch-failed', exitCode: 1003 },
    { process: 'gpu', reason: 'could not be started (exit code 1003)', exitCode: 1003, isOwnFault: false },
  ],
  [
    'a crash of a Chromium process',
    { type: 'Utility', name: 'Network Service', reason: 'killed', exitCode: 9 },
    {
      process: 'other',
      reason: 'Network Service was terminated externally (exit code 9)',
      exitCode: 9,
      isOwnFault: false,
    },
  ],
  [
    'a crash of the service, which is supervised',
    { type: 'Utility', name: 'Lab Manager service', reason: 'crashed', exitCode: 11 },
    null,
  ],
  [
    'an unknown reason',
    { type: 'GPU', reason: 'new-reason', exitCode: 0 },
    { process: 'gpu', reason: 'new-reason', exitCode: 0, isOwnFault: false },
  ],
])('describeCrash describes %s', (_name, ended, crash) => {
  expect(describeCrash(ended)).toEqual(crash);
});
