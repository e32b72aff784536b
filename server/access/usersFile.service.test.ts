import { execFileSync } from 'node:child_process';
import { describe } from 'vitest';
import { testInvalidUsersFile } from '../fixtures/invalidUsersFile.ts';

describe.skipIf(process.platform === 'win32')('an invalid users file (a FIFO)', () => {
  testInvalidUsersFile(async (path) => execFileSync('mkfifo', [path]), 'it is not a file');
});
