import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { silentLog } from '../logging/log.ts';
import { ServerRole } from './serverRole.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function bench(sharedAddress: string | null, own: string[]) {
  const settings = { sharedAddress };
  const changes: (string | null)[] = [];
  const role: ServerRole = new ServerRole({
    settings: () => settings,
    onChange: () => void changes.push(role.standbyReason),
    log: silentLog,
    ownAddresses: () => own,
  });
  return { role, settings, changes };
}

it.each<[string, string | null, string[], boolean]>([
  ['no shared address is set', null, ['127.0.0.1'], true],
  ['this machine has the shared address', '10.0.0.10', ['127.0.0.1', '10.0.0.11', '10.0.0.10'], true],
  ['this machine has the shared IPv6 address in another spelling', '2001:db8::a', ['2001:DB8:0:0:0:0:0:A'], true],
  ['another machine has the shared address', '10.0.0.10', ['127.0.0.1', '10.0.0.11'], false],
])('is active exactly if it may notify: %s', (_case, shared, own, isActive) => {
  const { role } = bench(shared, own);
  expect(role.standbyReason === null).toBe(isActive);
});

it('changes within a second of the address or the setting', () => {
  const own = ['10.0.0.11'];
  const { role, settings, changes } = bench('10.0.0.10', own);
  role.start();
  const reason = 'this machine does not have the shared address 10.0.0.10';
  expect(role.standbyReason).toBe(reason);
  own.push('10.0.0.10');
  vi.advanceTimersByTime(1000);
  own.pop();
  vi.advanceTimersByTime(1000);
  settings.sharedAddress = null;
  vi.advanceTimersByTime(5000);
  expect(changes).toEqual([null, reason, null]);
  role.stop();
  settings.sharedAddress = '10.0.0.10';
  vi.advanceTimersByTime(5000);
  expect(changes).toHaveLength(3);
});
