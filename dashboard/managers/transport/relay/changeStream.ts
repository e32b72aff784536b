/**
 * Receives the relay's stream of changes in one tab for the whole browser, because browsers open only six connections to a
 * server over HTTP/1.1. That tab has a lock, which the browser passes to another tab when it closes.
 */
import { changesPath, heartbeatEvent, heartbeatMs, readAnnouncement, type Announcement } from '#api/lab/changes.ts';
import { pause } from '#api/time/pause.ts';
import { base, serviceAddress } from '#dashboard/base/serviceAddress.ts';
import { backoffDelay } from '../poll/pollState.ts';

export interface CurrentRevision extends Pick<Announcement, 'endpoint' | 'revision'> {
  /**
   * When the content was current: at or before the request of the service, in ms since the epoch by this computer's
   * clock.
   */
  readonly at: number;
}

/** Time without an event after which the stream counts as interrupted, in ms. */
const silenceTimeoutMs = 2 * heartbeatMs + 5000;
/** Several lab managers may share an origin. */
const channelName = `lab-manager.changes ${base.href}`;

/**
 * Calls `onCurrent` for each announcement until the returned function is called. In browsers where tabs can't share a
 * stream, it is never called.
 */
export function subscribeToChanges(onCurrent: (current: CurrentRevision) => void): () => void {
  // Browsers have locks only over https and on their own machine.
  const { locks } = navigator as Partial<Navigator>;
  if (locks === undefined || globalThis.BroadcastChannel === undefined) return () => undefined;
  const controller = new AbortController();
  const { signal } = controller;
  const channel = new BroadcastChannel(channelName);
  channel.addEventListener('message', ({ data }: MessageEvent<CurrentRevision>) => onCurrent(data));
  const publish = (current: CurrentRevision): void => {
    channel.postMessage(current);
    onCurrent(current);
  };
  locks
    .request(channelName, { signal }, () => receiveUntil(signal, publish))
    .catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  return () => {
    controller.abort();
    channel.close();
  };
}

/** Receives streams, one after another, until `signal` aborts. */
async function receiveUntil(signal: AbortSignal, publish: (current: CurrentRevision) => void): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    const hasReceived = await receiveStream(signal, publish);
    failures = hasReceived ? 1 : failures + 1;
    await pause(backoffDelay(failures, Math.random()), signal);
  }
}

/** Receives one stream until it ends, is refused, or is silent. Resolves with whether anything was received. */
function receiveStream(signal: AbortSignal, publish: (current: CurrentRevision) => void): Promise<boolean> {
  return new Promise((resolve) => {
    // Taken before the service opens the stream, so that no announcement appears newer than it is.
    const openedAt = Date.now();
    const source = new EventSource(serviceAddress(`.${changesPath}`));
    let hasReceived = false;
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      source.close();
      resolve(hasReceived);
    };
    let timer = setTimeout(end, silenceTimeoutMs);
    const onEvent = (): void => {
      hasReceived = true;
      clearTimeout(timer);
      timer = setTimeout(end, silenceTimeoutMs);
    };
    signal.addEventListener('abort', end);
    source.addEventListener('error', end);
    source.addEventListener(heartbeatEvent, onEvent);
    source.addEventListener('message', ({ data }: MessageEvent<string>) => {
      onEvent();
      const announcement = readAnnouncement(data);
      if (announcement === null) return;
      const { endpoint, revision, requested_ms: requestedMs } = announcement;
      publish({ endpoint, revision, at: openedAt + requestedMs });
    });
  });
}
