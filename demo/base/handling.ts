/** How a manager of the demo lab answers: one handler for each endpoint of its table in `api/`. */
import type { Api } from '../../api/client/endpoint.ts';

/** A file of a form, named as its part names it. */
export interface UploadedFile {
  readonly filename: string;
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

/** A request as a handler sees it. */
export interface DemoRequest {
  /** Path parameters, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The JSON body; `undefined` without one. */
  readonly body: unknown;
  /** Text fields of a form. */
  readonly fields: Readonly<Record<string, string>>;
  readonly files: readonly UploadedFile[];
}

/** Bytes instead of a JSON body. */
export class Bytes {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  constructor(bytes: Uint8Array, contentType: string) {
    this.bytes = bytes;
    this.contentType = contentType;
  }
}

/** An error that the real manager answers with this status and body: `{"detail": …}` unless a body is given. */
export class Refusal extends Error {
  readonly status: number;
  readonly body: unknown;
  constructor(status: number, detail: unknown, body: unknown = { detail }) {
    super(typeof detail === 'string' ? detail : JSON.stringify(detail));
    this.name = 'Refusal';
    this.status = status;
    this.body = body;
  }
}

/**
 * Where the real manager fails inside: a bare 500 in plain text without CORS headers, after which it drops the
 * connection.
 */
export class InternalFailure extends Error {
  constructor(what: string) {
    super(what);
    this.name = 'InternalFailure';
  }
}

/** One handler per endpoint; its return value is the body of a 200. */
export type Handlers<Table extends Api> = {
  readonly [Name in keyof Table['endpoints']]: (request: DemoRequest) => unknown;
};
