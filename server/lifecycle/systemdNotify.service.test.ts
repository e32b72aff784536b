import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { useAdvancingClock, useManualClock } from '../../api/fixtures/manualClock.ts';
import { silentLog } from '../logging/log.ts';
import { SystemdNotify } from './systemdNotify.ts';

let dir = '';
let notify: SystemdNotify | null = null;
const warn = vi.fn();
const log = { ...silentLog, warn };

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'notify-'));
  warn.mockClear();
});
afterEach(async () => {
  await notify?.stopping();
  notify = null;
  rmSync(dir, { recursive: true, force: true });
});

/** Replaces systemd's program with a script, and creates the notifier. */
function notifier(script: string, env: Readonly<Record<string, string>> = {}): SystemdNotify {
  const program = join(dir, 'systemd-notify');
  writeFileSync(program, `#!/bin/sh\n${script}\n`);
  chmodSync(program, 0o755);
  notify = new SystemdNotify({ PATH: `${dir}:/usr/bin:/bin`, NOTIFY_SOCKET: '/run/systemd/notify', ...env }, log, 42);
  return notify;
}

/** Writes the received arguments and the socket. */
const writes = 'echo "$NOTIFY_SOCKET $*" >> "$(dirname "$0")/messages"';

function messages(): string[] {
  const file = join(dir, 'messages');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
}

const [ready, alive, stopping] = ['READY=1', 'WATCHDOG=1', 'STOPPING=1'].map((name) => `/run/systemd/notify ${name}`);

/** A shell script replaces systemd's program, which only Linux has. */
describe.runIf(process.platform === 'linux')('systemd', () => {
  test('receives ready and stopping, and nothing else without a watchdog', async () => {
    const service = notifier(writes);
    await service.ready();
    expect(messages()).toEqual([ready]);
    await service.stopping();
    expect(messages()).toEqual([ready, stopping]);
  });

  test('receives watchdog messages twice per interval until the stop', async () => {
    const time = useManualClock();
    const listHandles = () => process.getActiveResourcesInfo().filter((name) => /^(Process|Pipe)Wrap$/.test(name));
    const handlesBefore = listHandles();
    const service = notifier(writes, { WATCHDOG_USEC: '200000', WATCHDOG_PID: '42' });
    await service.ready();
    for (let count = 1; count <= 3; count += 1) {
      time.advance(99);
      expect(messages()).toHaveLength(count);
      time.advance(1);
      await vi.waitFor(() => expect(messages()).toHaveLength(count + 1));
      // Until the program that sends it has ended, no other one is started.
      await vi.waitFor(() => expect(listHandles()).toEqual(handlesBefore));
    }
    await service.stopping();
    expect(messages()).toEqual([ready, alive, alive, alive, stopping]);
  });

  test.each([
    ['for another process', { WATCHDOG_USEC: '1000', WATCHDOG_PID: '43' }, 0],
    ['with an invalid interval', { WATCHDOG_USEC: 'soon' }, 1],
  ])('receives no watchdog messages for a watchdog %s', async (_what, env, warnings) => {
    const service = notifier(writes, env);
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      await service.ready();
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
    expect(warn).toHaveBeenCalledTimes(warnings);
  });

  test('can be unreachable: the failure is logged, and the service continues', async () => {
    const service = notifier('echo "Failed to notify init system: Connection refused" >&2; exit 1');
    await service.ready();
    expect(warn).toHaveBeenCalledWith(
      expect.stringMatching(/^READY=1 could not be sent to systemd: [^]*Connection refused/),
    );
  });

  test('receives one message at a time, and a hanging message does not delay the stop', async () => {
    const time = useAdvancingClock();
    const service = notifier(`${writes}; if [ "$1" = WATCHDOG=1 ]; then exec sleep 60; fi`, { WATCHDOG_USEC: '20000' });
    await service.ready();
    await vi.waitFor(() => expect(messages()).toContain(alive), { interval: 10 });
    const startedAt = time.monotonic();
    await service.stopping();
    expect(time.monotonic() - startedAt).toBeLessThan(4000);
    expect(messages()).toEqual([ready, alive, stopping]);
    expect(warn).not.toHaveBeenCalled();
  });

  test('receives nothing if it did not start the service', async () => {
    const service = notifier(writes, { NOTIFY_SOCKET: '', WATCHDOG_USEC: '1000' });
    await service.ready();
    await service.stopping();
    expect(messages()).toEqual([]);
    expect(warn).not.toHaveBeenCalled();
  });
});
