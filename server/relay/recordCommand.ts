/** Decides how a relayed command is recorded: by its page's own record, or by the relay. */
import type { Request, Response } from 'express';
import { clock } from '../../api/time/clock.ts';
import { eventApi } from '../../api/managers/event.ts';
import type { Sender } from '../access/sender.ts';
import { headersForManager } from './headers.ts';
import type { FileResponse, ManagerRequest, Managers } from './managers.ts';
import { StreamError } from '../net/streamedExchange.ts';
import { BufferedResponse } from './memory.ts';
import { isUnsent, type RelayedCommands } from './relayedCommands.ts';
import { headersWithBody, readWhole } from './requestBody.ts';
import type { RelayRoute } from './route.ts';
import { hasNonFiniteNumber, parseExactJson, stringifyExactJson } from '../../api/exactJson.ts';

/** The maximum size of an event, in bytes: it is read before the limits of the relay count it. */
const maxEventBytes = 1024 * 1024;

interface RecordedRequest {
  readonly request: Request;
  readonly response: Response;
  readonly sender: Sender;
  readonly managerRequest: ManagerRequest;
  readonly route: RelayRoute;
  /** Receives the request of the relay itself. */
  readonly managers: Managers;
  /** Aborts when the service stops. */
  readonly stopping: AbortSignal;
}

interface RecordedCommand {
  /** The request to send. */
  readonly managerRequest: ManagerRequest;
  /** Called with the response of the manager. */
  readonly onResponse: (response: BufferedResponse | FileResponse) => void | Promise<void>;
}

/** @throws StreamError if the event to store can't be read, or is not JSON */
export async function recordCommand(commands: RelayedCommands, input: RecordedRequest): Promise<RecordedCommand> {
  const { request, response, sender, managerRequest, route } = input;
  if (route.endpoint === eventApi.endpoints.addEvent) return completeEvent(commands, input);
  const sentAt = clock.now();
  commands.addAtClose(response, () => {
    const status = response.headersSent ? response.statusCode : null;
    const wasSent = !isUnsent(request);
    const command = { route, method: request.method, sentAt, endedAt: clock.now(), status, wasSent };
    commands.add(request, sender, command);
  });
  return { managerRequest, onResponse: () => undefined };
}

/**
 * Storing an event is not recorded as a command. If the event is itself the record of a command, the verified sender and
 * the relayed requests are added to it.
 */
async function completeEvent(
  commands: RelayedCommands,
  { request, sender, managerRequest, managers, stopping }: RecordedRequest,
): Promise<RecordedCommand> {
  const body = await readWhole(request, maxEventBytes);
  const record = commands.completeRecord(request, sender, parseJson(body));
  const completedBody = record === null ? body : Buffer.from(stringifyExactJson(record.event));
  return {
    managerRequest: {
      ...managerRequest,
      body: completedBody,
      headers: headersWithBody(managerRequest.headers, completedBody),
    },
    onResponse: async ({ status }) => {
      const verification = record?.verification ?? null;
      if (status >= 300 || verification === null) return;
      const url = new URL(`${managerRequest.url.href.replace(/\?.*$/, '')}/${encodeURIComponent(verification.id)}`);
      // Counted as another client, so that it does not wait for the client's own reads.
      const client = `record of ${managerRequest.client}`;
      const readBack = {
        ...managerRequest,
        client,
        url,
        endpoint: eventApi.endpoints.getEvent,
        body: null,
        signal: stopping,
      };
      const response = managers.send({ ...readBack, headers: headersForManager({}, false) });
      verification.confirm(await response.then(readEvent, () => null));
    },
  };
}

/** The event in a response; `null` if there is none. */
function readEvent(response: BufferedResponse | FileResponse): unknown {
  if (!(response instanceof BufferedResponse)) return null;
  try {
    return response.status === 200 ? parseJson(response.body) : null;
  } finally {
    response.release();
  }
}

/** Refuses other encodings, duplicate keys and `NaN`, which the event manager accepts: a record in them could claim any sender. */
function parseJson(body: Buffer): unknown {
  try {
    const value = parseExactJson(new TextDecoder('utf-8', { fatal: true }).decode(body));
    if (!hasNonFiniteNumber(value)) return value;
  } catch {
    // Reported below, like a number that is not JSON.
  }
  throw new StreamError('invalid', 'the event is not JSON in UTF-8');
}
