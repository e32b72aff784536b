import { expect, it } from 'vitest';
import { crashOf, type GoneProcess } from './crashWords.ts';

it.each<[string, GoneProcess, ReturnType<typeof crashOf>]>([
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
    'the graphics process',
    { type: 'GPU', reason: 'launch-failed', exitCode: 1003 },
    { process: 'gpu', reason: 'could not be started (exit code 1003)', exitCode: 1003, isOwnFault: false },
  ],
  [
    'a process of Chromium’s',
    { type: 'Utility', name: 'Network Service', reason: 'killed', exitCode: 9 },
    {
      process: 'other',
      reason: 'Network Service was ended from outside (exit code 9)',
      exitCode: 9,
      isOwnFault: false,
    },
  ],
  [
    'the service, which is watched',
    { type: 'Utility', name: 'Lab Manager service', reason: 'crashed', exitCode: 11 },
    null,
  ],
  [
    'a reason that is new',
    { type: 'GPU', reason: 'eaten', exitCode: 0 },
    { process: 'gpu', reason: 'eaten', exitCode: 0, isOwnFault: false },
  ],
])('%s', (_name, gone, crash) => {
  expect(crashOf(gone)).toEqual(crash);
});
