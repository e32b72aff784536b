/** Calls a manager's handlers without a server, for tests, and checks the response against the table's schema. */
import * as z from 'zod/mini';
import type { Api } from '../../api/client/endpoint.ts';
import { ManualClock } from './clock.ts';
import { Bytes, InternalFailure, ErrorResponse, type DemoRequest, type UploadedFile } from './handlers.ts';
import type { LogEntry, ManagerHandlers, ManagerParts } from './demoManager.ts';
import { Random } from './random.ts';

export interface RequestParts {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly fields?: Readonly<Record<string, string>>;
  readonly files?: readonly UploadedFile[];
}

interface TestResponse {
  /** 500 with body `Internal Server Error` for an internal failure of the manager. */
  readonly status: number;
  readonly body: unknown;
}

function request({ params = {}, query = {}, body, fields = {}, files = [] }: RequestParts): DemoRequest {
  return { params, query: new URLSearchParams(query), body, fields, files };
}

/** Returns an endpoint's response. A 200 that doesn't match its schema is a bug of the demo lab and throws. */
export function send<Table extends Api>(
  manager: { readonly api: Table; readonly handlers: ManagerHandlers<Table> },
  name: Exclude<keyof Table['endpoints'] & string, 'health' | 'settings'>,
  parts: RequestParts = {},
): TestResponse {
  const handlers = manager.handlers as Readonly<Record<string, (request: DemoRequest) => unknown>>;
  const endpoint = manager.api.endpoints[name];
  try {
    const result = handlers[name]?.(request(parts));
    if (result instanceof Bytes || endpoint === undefined || endpoint.response === 'blob') {
      return { status: 200, body: result };
    }
    const body: unknown = JSON.parse(JSON.stringify(result ?? null));
    const isRejected = endpoint.refusal !== undefined && z.safeParse(endpoint.refusal, body).success;
    if (!isRejected) z.parse(endpoint.response, body);
    return { status: 200, body };
  } catch (error) {
    if (error instanceof ErrorResponse) return { status: error.status, body: error.body };
    if (error instanceof InternalFailure) return { status: 500, body: 'Internal Server Error' };
    throw error;
  }
}

/** Returns parts for a single manager: a manual clock, and a log that collects its lines. */
export function testParts(): ManagerParts & { readonly clock: ManualClock; readonly logged: LogEntry[] } {
  const clock = new ManualClock();
  const logged: LogEntry[] = [];
  return { clock, random: new Random(7, clock), labOwnership: {}, log: (entry) => logged.push(entry), logged };
}
