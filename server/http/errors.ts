/** Error responses: JSON `{"detail": …}`, as in MADSci's lab manager. */
import type { ErrorRequestHandler, Response } from 'express';
import { errorCode, errorText } from '../../api/errorText.ts';
import type { Log } from '../logging/log.ts';

/** @param extraFields for clients that need a part of the detail */
export function sendError(
  response: Response,
  status: number,
  detail: string,
  extraFields: Readonly<Record<string, string>> = {},
): void {
  response.setHeader('Cache-Control', 'no-store');
  response.status(status).json({ detail, ...extraFields });
}

/** 405 with the methods of the path. */
export function sendMethodNotAllowed(response: Response, methods = 'GET, HEAD'): void {
  response.setHeader('Allow', methods);
  sendError(response, 405, 'Method Not Allowed');
}

/**
 * Handles all errors of a request, thrown or rejected: a client's error gets its own status, any other a 5xx without
 * internal details and a line in the log.
 */
export function errorHandler(log: Log): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    if (describeFailure(error).status >= 500) log.error(`${request.method} ${request.path}: ${errorText(error)}`);
    sendFailure(response, error);
  };
}

/**
 * Responds to a failed request; if the response has begun, the connection is closed, so that it is not mistaken for
 * complete.
 */
export function sendFailure(response: Response, error: unknown): void {
  if (response.headersSent || response.destroyed) return void response.socket?.destroy();
  const { status, detail } = describeFailure(error);
  // Headers set for a file do not apply to an error.
  for (const header of ['Content-Encoding', 'Content-Type', 'Content-Length', 'ETag', 'Last-Modified', 'Accept-Ranges'])
    response.removeHeader(header);
  if (status === 503) response.setHeader('Retry-After', '1');
  sendError(response, status, detail);
}

/** Too many open files, in this process or on the machine: temporary. */
const exhaustionCodes: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'EAGAIN']);

/** Status and message of an error. */
function describeFailure(error: unknown): { readonly status: number; readonly detail: string } {
  const code = fileErrorCode(error);
  if (code !== null && exhaustionCodes.has(code)) {
    return { status: 503, detail: 'The lab manager has too many files open; try again in a moment' };
  }
  if (code !== null) {
    return { status: 500, detail: `A file of the lab manager cannot be read (${code}); the log contains its name` };
  }
  const status = errorStatus(error);
  return { status, detail: status >= 500 ? 'Internal Server Error' : errorText(error) };
}

/** The code of a file system error on the server's side, as opposed to a wrong path of the client. */
function fileErrorCode(error: unknown): string | null {
  return error instanceof Error && 'syscall' in error && errorStatus(error) >= 500 ? errorCode(error) : null;
}

function errorStatus(error: unknown): number {
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined;
  return typeof status === 'number' && status >= 400 && status < 600 ? status : 500;
}
