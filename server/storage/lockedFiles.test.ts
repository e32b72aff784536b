import { expect, it, vi } from 'vitest';
import { useAdvancingClock, useManualClock } from '../../api/fixtures/manualClock.ts';
import { LockedFileError, retryWhileLocked } from './lockedFiles.ts';

const failure = (code: string): Error => Object.assign(new Error(code), { code });

/** Creates an operation that fails with these codes, one after the other, and then succeeds. */
const createFailingOperation = (...codes: readonly string[]) =>
  codes.reduce((mock, code) => mock.mockRejectedValueOnce(failure(code)), vi.fn().mockResolvedValue('done'));

it.each(['EPERM', 'EACCES', 'EBUSY'])('replacing a file is repeated on Windows after %s', async (code) => {
  useAdvancingClock();
  const operation = createFailingOperation(code, code, code);
  expect(await retryWhileLocked('replace', operation, 'win32')).toBe('done');
  expect(operation).toHaveBeenCalledTimes(4);
});

it('opening a file is repeated on Windows after EBUSY', async () => {
  useAdvancingClock();
  expect(await retryWhileLocked('open', createFailingOperation('EBUSY'), 'win32')).toBe('done');
});

it.each([
  ['open', 'win32', 'EPERM'],
  ['open', 'win32', 'EACCES'],
  ['replace', 'win32', 'ENOSPC'],
  ['replace', 'linux', 'EPERM'],
  ['replace', 'darwin', 'EBUSY'],
] as const)('an attempt to %s a file on %s is not repeated after %s', async (kind, platform, code) => {
  const operation = createFailingOperation(code, code);
  await expect(retryWhileLocked(kind, operation, platform)).rejects.toMatchObject({ code });
  expect(operation).toHaveBeenCalledOnce();
});

it('a file that another program keeps open is reported within the timeout of storage', async () => {
  const operation = vi.fn().mockRejectedValue(failure('EBUSY'));
  const time = useManualClock();
  const attempt = retryWhileLocked('open', operation, 'win32');
  attempt.catch(() => undefined);
  await time.advanceInSteps(2000, 10);
  await expect(attempt).rejects.toThrow(new LockedFileError(null).message);
  await expect(attempt).rejects.toMatchObject({ cause: { code: 'EBUSY' } });
  expect(operation).toHaveBeenCalledTimes(8);
});

it('slow attempts to open a file are reported within the timeout of storage, too', async () => {
  const time = useManualClock();
  const operation = vi.fn().mockImplementation(async () => {
    await time.advance(600);
    throw failure('EBUSY');
  });
  const attempt = retryWhileLocked('open', operation, 'win32');
  attempt.catch(() => undefined);
  await time.advanceInSteps(100, 10);
  await expect(attempt).rejects.toThrow(new LockedFileError(null).message);
  expect(operation).toHaveBeenCalledTimes(3);
});
