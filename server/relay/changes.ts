/**
 * The stream of changes, `GET /managers/changes`: while at least one dashboard receives it, the service polls the endpoints
 * that all dashboards need once for all of them, and announces the revision of each response.
 */
import type { Request, Response } from 'express';
import { clock } from '../../api/time/clock.ts';
import { pause } from '../../api/time/pause.ts';
import {
  announcedEndpoints,
  announcedIntervals,
  heartbeatEvent,
  heartbeatMs,
  type AnnouncedEndpoint,
  type Announcement,
} from '../../api/lab/changes.ts';
import { contextKey, type ManagerKey } from '../../api/managers.ts';
import { workcellApi } from '../../api/managers/workcell.ts';
import type { Caller } from '../access/sender.ts';
import { identifyClient } from '../http/callers/client.ts';
import { sendError } from '../http/errors.ts';
import { StreamError } from '../net/streamedExchange.ts';
import type { LabSettings } from '../settings/schema/types.ts';
import { headersForManager } from './headers.ts';
import { RelayError } from './managers.ts';
import { managerUrl } from './route.ts';
import type { SharedReads } from './sharedReads.ts';
import { stringifyExactJson } from '../../api/exactJson.ts';

/** The maximum number of streams: in total, without those reserved for operators, of a caller, and of it at one address. */
const maxStreams = 256;
const maxViewerStreams = 192;
const maxCallerStreams = 64;
const maxAddressStreams = 16;
/** The maximum duration of a stream, in ms. It bounds the drift of clocks, and makes a proxy authenticate the user again. */
const maxDurationMs = 600_000;

/** Reads of the service itself count as those of one client. */
const serviceClient = 'changes';
/** The same headers as browsers send, so that the responses are shared with them. */
const serviceHeaders = headersForManager({ accept: '*/*' }, false);

interface Stream {
  readonly response: Response;
  readonly caller: string;
  readonly address: string;
  /** Whether the caller may still receive the stream. */
  readonly isAllowed: () => boolean;
  readonly openedAt: number;
}

export interface ChangesParts {
  readonly reads: SharedReads;
  readonly settings: { readonly value: Pick<LabSettings, 'context'> };
  /** Aborts when the service stops. */
  readonly stopping: AbortSignal;
}

export class Changes {
  readonly #parts: ChangesParts;
  readonly #streams = new Set<Stream>();
  /** Aborts when the last stream ends. */
  #run = new AbortController();
  /** Aborted to start the next reads immediately. */
  #readPause = new AbortController();

  constructor(parts: ChangesParts) {
    this.#parts = parts;
    parts.stopping.addEventListener('abort', () => {
      for (const stream of this.#streams) endStream(stream);
    });
  }

  /** @param currentCaller returns the caller at the time of the call; `null` once the caller may not use the relay */
  open(request: Request, response: Response, currentCaller: () => Caller | null): void {
    const describeCaller = (): string | null => {
      const current = currentCaller();
      return current && [current.via, current.role, current.name].join(' ');
    };
    const { address } = identifyClient(request);
    const [role, caller] = [currentCaller()?.role, describeCaller()];
    const ofCaller = [...this.#streams].filter((stream) => stream.caller === caller);
    if (
      caller === null ||
      this.#parts.stopping.aborted ||
      this.#streams.size >= (role === 'viewer' ? maxViewerStreams : maxStreams) ||
      ofCaller.length >= maxCallerStreams ||
      ofCaller.filter((stream) => stream.address === address).length >= maxAddressStreams
    ) {
      response.setHeader('Retry-After', '30');
      return sendError(response, 503, 'The lab manager has too many streams of changes already');
    }
    const stream: Stream = {
      response,
      caller,
      address,
      isAllowed: () => describeCaller() === caller && identifyClient(request).address === address,
      openedAt: clock.monotonic(),
    };
    response.once('close', () => this.#remove(stream));
    response.writeHead(200, {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-store, no-transform',
      // The connection ends with the stream, so that it delays no stop of the service.
      Connection: 'close',
      'X-Accel-Buffering': 'no',
    });
    this.#streams.add(stream);
    if (this.#streams.size === 1) this.#start();
    else sendEvent(stream, heartbeat);
  }

  /** Call this after a command was executed: its effect is read immediately. */
  onCommand(manager: ManagerKey): void {
    if (manager === 'workcell') this.#readNow();
  }

  #readNow(): void {
    this.#readPause.abort();
    this.#readPause = new AbortController();
  }

  #remove(stream: Stream): void {
    this.#streams.delete(stream);
    if (this.#streams.size > 0) return;
    this.#run.abort();
    this.#readNow();
  }

  #start(): void {
    this.#run = new AbortController();
    const { signal } = this.#run;
    for (const endpoint of announcedEndpoints)
      void this.#repeat(signal, announcedIntervals[endpoint], () => this.#announce(endpoint, signal));
    void this.#repeat(signal, heartbeatMs, async () => this.#sendAll(() => heartbeat));
  }

  /** Repeats `task` at an interval, or as soon as it is finished if that is later. */
  async #repeat(run: AbortSignal, intervalMs: number, task: () => Promise<void>): Promise<void> {
    while (!run.aborted) {
      const interval = pause(intervalMs, this.#readPause.signal);
      await task();
      await interval;
    }
  }

  async #announce(endpoint: AnnouncedEndpoint, signal: AbortSignal): Promise<void> {
    const { reads, settings } = this.#parts;
    const address = settings.value.context[contextKey('workcell')];
    if (address === null) return;
    const { path } = workcellApi.endpoints[endpoint];
    try {
      const { response, etag, requestedAt } = await reads.read(
        {
          manager: 'workcell',
          client: serviceClient,
          isOfOperator: true,
          endpoint: workcellApi.endpoints[endpoint],
          url: managerUrl({ path, search: '' }, address),
          headers: serviceHeaders,
          body: null,
          signal,
        },
        { maxAgeMs: 0, bypassesCache: false },
      );
      const isSuccess = response.status === 200;
      response.release();
      if (!isSuccess) return;
      const revision = etag.slice(1, -1);
      this.#sendAll(({ openedAt }) =>
        formatEvent({ endpoint, revision, requested_ms: Math.round(requestedAt - openedAt) }),
      );
    } catch (error) {
      // A failure is not announced: without announcements, dashboards poll and show the reason.
      if (!(error instanceof StreamError || error instanceof RelayError)) throw error;
    }
  }

  #sendAll(eventFor: (stream: Stream) => string): void {
    for (const stream of this.#streams) sendEvent(stream, eventFor(stream));
  }
}

const heartbeat = `event: ${heartbeatEvent}\ndata: {}\n\n`;

function formatEvent(content: Announcement): string {
  return `data: ${stringifyExactJson(content)}\n\n`;
}

function sendEvent(stream: Stream, event: string): void {
  const { response, isAllowed, openedAt } = stream;
  if (response.writableEnded) return;
  if (!isAllowed() || clock.monotonic() - openedAt > maxDurationMs) return endStream(stream);
  // The events that the client has not received yet are outdated.
  if (response.writableNeedDrain) return void response.destroy();
  response.write(event);
}

function endStream({ response }: Stream): void {
  if (response.writableNeedDrain) response.destroy();
  else response.end();
}
