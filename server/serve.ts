/**
 * Serves the Express app, with TLS if it is configured, with users and sessions, and announces it to other machines.
 */
import { Access, usersFile } from './access/access.ts';
import type { IdentifyCaller } from './access/sender.ts';
import { createApp, type AppParts } from './app.ts';
import { createAnnouncement, Announcer } from './discovery/announcer.ts';
import { Certificate } from './http/listening/certificate.ts';
import { listen, type ListeningServer, type ListenTarget } from './http/listening/listen.ts';
import type { Log } from './logging/log.ts';
import { throttleLog } from './logging/throttle.ts';
import { statePath } from './labWatches.ts';

export interface ServingOptions {
  readonly parts: Omit<AppParts, 'access' | 'identifySender' | 'identifyCaller' | 'log' | 'throttledLog' | 'stopping'>;
  readonly target: ListenTarget;
  /** Folder of the persistent state; `null` for a lab without stored state. */
  readonly stateDir: string | null;
  /** Identifies the caller of a request; by default, `Access` does. */
  readonly identifyCaller?: IdentifyCaller | undefined;
  /** The key by which the window of the app that runs this service is its administrator. */
  readonly appKey?: string | undefined;
  readonly log: Log;
}

/** @throws what `listen` throws */
export async function serve({
  parts,
  target,
  stateDir,
  identifyCaller,
  appKey,
  log,
}: ServingOptions): Promise<ListeningServer> {
  const { settings } = parts.lab;
  const access = new Access({ settings, appKey, log: log.scope('access') });
  const certificate = new Certificate(settings, log.scope('tls'));
  await certificate.start();
  const stopping = new AbortController();
  const httpLog = parts.telemetry.exportingLog(log.scope('http'));
  const throttledLog = throttleLog(httpLog);
  try {
    const app = createApp({
      ...parts,
      access,
      identifySender: (request) =>
        identifyCaller === undefined
          ? access.identifySender(request)
          : { caller: identifyCaller(request), expiredCaller: null },
      identifyCaller: identifyCaller ?? ((request) => access.identifyCaller(request)),
      stopping: stopping.signal,
      log: httpLog,
      throttledLog,
    });
    const listening = await listen(app, target, log.scope('http'), { certificate });
    const { port, addresses } = listening;
    const path = (name: string) => stateDir && statePath(stateDir, name, port);
    await access.start({ port, usersPath: path(usersFile), sessionsPath: path('sessions.json') });
    const announcer = new Announcer(() => announcement(parts, addresses, port), log.scope('mdns'));
    announcer.start();
    return {
      ...listening,
      stop: async () => {
        stopping.abort();
        await Promise.all([announcer.stop(), listening.stop()]);
        throttledLog.endWindow();
        certificate.stop();
        await access.stop();
      },
    };
  } catch (error) {
    certificate.stop();
    throw error;
  }
}

/** What is announced; `null` while no lab is chosen. */
function announcement(
  { lab, identity, service: { version }, withholdsContext }: ServingOptions['parts'],
  listening: ListeningServer['addresses'],
  port: number,
): ReturnType<typeof createAnnouncement> {
  if (withholdsContext.value) return null;
  return createAnnouncement({ settings: lab.settings.value, effective: identity.effective, version, listening, port });
}
