import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { silentLog } from '../logging/log.ts';
import { changeSettings, createTestModel } from '../fixtures/testModel.ts';
import { ServerRole, type Leadership } from './serverRole.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function createTestRole(sharedAddress: string | null, machineAddresses: string[]) {
  const lab = createTestModel({ sharedAddress, serverUrl: 'http://lab:8000/' });
  const role = new ServerRole({ lab, log: silentLog, ownAddresses: () => machineAddresses });
  const changes: (string | null)[] = [];
  lab.standby.subscribe((reason) => void changes.push(reason));
  changes.length = 0;
  return { role, lab, changes };
}

it.each<[string, string | null, string[], boolean]>([
  ['no shared address is set', null, ['127.0.0.1'], true],
  ['this machine has the shared address', '10.0.0.10', ['127.0.0.1', '10.0.0.11', '10.0.0.10'], true],
  ['this machine has the shared IPv6 address in another spelling', '2001:db8::a', ['2001:DB8:0:0:0:0:0:A'], true],
  ['another machine has the shared address', '10.0.0.10', ['127.0.0.1', '10.0.0.11'], false],
])(
  'a server is active, or on standby if another machine has the shared address: %s',
  (_case, shared, machineAddresses, isActive) => {
    const { lab } = createTestRole(shared, machineAddresses);
    expect(lab.standby.value === null).toBe(isActive);
  },
);

it('a server changes its role within 1 s after the shared address moves, and at once with the setting', () => {
  const machineAddresses = ['10.0.0.11'];
  const { role, lab, changes } = createTestRole('10.0.0.10', machineAddresses);
  role.start();
  const reason = 'this machine does not have the shared address 10.0.0.10';
  expect(lab.standby.value).toBe(reason);
  machineAddresses.push('10.0.0.10');
  vi.advanceTimersByTime(1000);
  machineAddresses.pop();
  vi.advanceTimersByTime(1000);
  changeSettings(lab, { sharedAddress: null });
  expect(changes).toEqual([null, reason, null]);
  role.stop();
  changeSettings(lab, { sharedAddress: '10.0.0.10' });
  vi.advanceTimersByTime(5000);
  expect(changes).toHaveLength(3);
});

it('the role of a server is not checked while it has neither a shared address nor a database', () => {
  const { role, lab, changes } = createTestRole(null, ['10.0.0.11']);
  role.start();
  expect(vi.getTimerCount()).toBe(0);
  changeSettings(lab, { sharedAddress: '10.0.0.10' });
  changeSettings(lab, { sharedAddress: '10.0.0.10' });
  expect([vi.getTimerCount(), changes.length]).toEqual([1, 1]);
  changeSettings(lab, { sharedAddress: null });
  expect([vi.getTimerCount(), changes.length]).toEqual([0, 2]);
});

/**
 * Creates the role of a server with a database whose state the test sets.
 * @param isActiveAt whether another active server responds
 */
function createDatabaseRole(sharedAddress: string | null, isActiveAt: () => boolean) {
  const database = {
    connection: { state: 'connected' } as Leadership['connection'],
    isLeader: false,
    leader: 'other:8000',
    isCandidate: true,
    checks: 0,
    check: () => void (database.checks += 1),
  };
  const machineAddresses = ['10.0.0.11'];
  const lines: string[] = [];
  const lab = createTestModel({ sharedAddress, serverUrl: 'http://lab:8000/' });
  const role = new ServerRole({
    lab,
    log: { ...silentLog, info: (line) => void lines.push(line) },
    ownAddresses: () => machineAddresses,
    isActiveAt: () => Promise.resolve(isActiveAt()),
  });
  role.useDatabase(database);
  role.start();
  const loseConnection = () => (database.connection = { state: 'lost', since: 0, reason: 'connection refused' });
  return { role, lab, database, machineAddresses, loseConnection, lines };
}

it('a server is active while it is the leader in the shared database, also after the connection is lost', async () => {
  const { role, lab, database, loseConnection, lines } = createDatabaseRole(null, () => false);
  expect(lab.standby.value).toBe('other:8000 is the leader');
  expect(lines).toEqual(['On standby: other:8000 is the leader']);
  database.isLeader = true;
  await vi.advanceTimersByTimeAsync(1000);
  loseConnection();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(lab.standby.value).toBeNull();
  role.stop();
});

it('a server that was not the leader stays on standby without the database while an active server responds', async () => {
  let isOtherActive = true;
  const { role, lab, database, loseConnection } = createDatabaseRole(null, () => isOtherActive);
  loseConnection();
  await vi.advanceTimersByTimeAsync(120_000);
  expect(lab.standby.value).toBe('the database cannot be used, and this server was not the leader');
  isOtherActive = false;
  await vi.advanceTimersByTimeAsync(16_000);
  expect(lab.standby.value).toBeNull();
  database.connection = { state: 'connected' };
  await vi.advanceTimersByTimeAsync(1000);
  expect(lab.standby.value).toBe('other:8000 is the leader');
  role.stop();
});

it('a leader that loses the shared address goes on standby and checks the leadership', async () => {
  const { role, lab, database, machineAddresses } = createDatabaseRole('10.0.0.11', () => false);
  database.isLeader = true;
  await vi.advanceTimersByTimeAsync(1000);
  const { checks } = database;
  machineAddresses.pop();
  await vi.advanceTimersByTimeAsync(1000);
  expect(lab.standby.value).toContain('does not have the shared address');
  expect(database.checks).toBe(checks + 1);
  role.stop();
});
