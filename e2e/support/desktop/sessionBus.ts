/**
 * A separate D-Bus session bus for one app. It accepts the app's user and the user of the tests; the default session bus
 * accepts only its own user.
 */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startUntilReady } from '#build/test/untilReady.mjs';

export interface SessionBus {
  readonly address: string;
  stop(): Promise<void>;
}

/**
 * Starts the bus.
 * @param uids the users that may connect. Source: dbus-daemon(1), CONFIGURATION FILE
 */
export async function startSessionBus(uids: readonly number[]): Promise<SessionBus> {
  const folder = mkdtempSync(join(tmpdir(), 'bus-'));
  // All users can reach the socket; the policy restricts who may connect.
  chmodSync(folder, 0o755);
  const config = join(folder, 'bus.conf');
  writeFileSync(
    config,
    `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
       "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
     <busconfig>
       <type>session</type>
       <listen>unix:path=${folder}/socket</listen>
       <auth>EXTERNAL</auth>
       <policy context="default">
         ${uids.map((uid) => `<allow user="${uid}"/>`).join('')}
         <allow send_destination="*" eavesdrop="true"/>
         <allow eavesdrop="true"/>
         <allow own="*"/>
       </policy>
     </busconfig>`,
  );
  const daemon = await startUntilReady('dbus-daemon', [
    `--config-file=${config}`,
    '--nofork',
    '--nopidfile',
    '--print-address=3',
  ]);
  return {
    address: daemon.output,
    stop: async () => {
      await daemon.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
