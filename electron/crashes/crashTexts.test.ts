import { expect, it } from 'vitest';
import { describeCrash, type EndedProcess } from './crashTexts.ts';

it.each<[string, EndedProcess, ReturnType<typeof describeCrash>]>([
  [
    'a page that crashed',
    { type: 'Tab', reason: 'crashed', exitCode: 139 },
    { process: 'page', reason: 'crashed (exit code 139)', exitCode: 139, isImmediate: true },
  ],
  [
    'a page without memory',
    { type: 'Tab', reason: 'oom', exitCode: 0 },
    { process: 'page', reason: 'ran out of memory', exitCode: 0, isImmediate: true },
  ],
  ['a page that was closed', { type: 'Tab', reason: 'clean-exit', exitCode: 0 }, null],
  [
    'a crash of the graphics process',
    { type: 'GPU', reason: 'launch-failed', exitCode: 1003 },
    { process: 'gpu', reason: 'could not be started (exit code 1003)', exitCode: 1003, isImmediate: false },
  ],
  [
    'a crash of a Chromium process',
    { type: 'Utility', name: 'Network Service', reason: 'killed', exitCode: 9 },
    {
      process: 'other',
      reason: 'Network Service was terminated externally (exit code 9)',
      exitCode: 9,
      isImmediate: false,
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
    { process: 'gpu', reason: 'new-reason', exitCode: 0, isImmediate: false },
  ],
])('describeCrash describes %s', (_name, ended, crash) => {
  expect(describeCrash(ended)).toEqual(crash);
});
