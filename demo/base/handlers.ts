/** The requests, responses and handlers of a demo manager: one handler for each entry of its endpoint table in `api/`. */
import type { Api } from '../../api/client/endpoint.ts';
import { stringifyExactJson } from '../../api/exactJson.ts';

/** A file of a multipart form; `filename` is the one in the header of its part. */
export interface UploadedFile {
  readonly filename: string;
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

/** A request as passed to a handler. */
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

/** The body of a response that is not JSON. */
export class Bytes {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  constructor(bytes: Uint8Array, contentType: string) {
    this.bytes = bytes;
    this.contentType = contentType;
  }
}

/** Imitates an error response of the real manager with this status: the body is `{"detail": …}` unless one is given. */
export class ErrorResponse extends Error {
  readonly status: number;
  readonly body: unknown;
  constructor(status: number, detail: unknown, body: unknown = { detail }) {
    super(typeof detail === 'string' ? detail : stringifyExactJson(detail));
    this.name = 'ErrorResponse';
    this.status = status;
    this.body = body;
  }
}

/**
 * Imitates an internal error of the real manager: a 500 in plain text without CORS headers, after which the manager
 * closes the connection.
 */
export class InternalFailure extends Error {
  constructor(what: string) {
    super(what);
    this.name = 'InternalFailure';
  }
}

/** One handler per endpoint; its return value is the body of a response with status 200. */
export type Handlers<Table extends Api> = {
  readonly [Name in keyof Table['endpoints']]: (request: DemoRequest) => unknown;
};
