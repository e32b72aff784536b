/** Error answers: JSON `{"detail": …}`, as the real service's clients expect. */
import type { ErrorRequestHandler, Response } from 'express';
import { errorText, type Log } from '../log.ts';

export function sendError(response: Response, status: number, detail: string): void {
  response.setHeader('Cache-Control', 'no-store');
  response.status(status).json({ detail });
}

/** 405 with the methods that the path has. */
export function sendMethodNotAllowed(response: Response): void {
  response.setHeader('Allow', 'GET, HEAD');
  sendError(response, 405, 'Method Not Allowed');
}

/** The last word on a request: a client's mistake by its own status, anything else a 500 that tells nothing inside. */
export function errorAnswers(log: Log): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    if (response.headersSent) return next(error);
    const status = statusOf(error);
    if (status >= 500) log.error(`${request.method} ${request.path}: ${errorText(error)}`);
    sendError(response, status, status >= 500 ? 'Internal Server Error' : errorText(error));
  };
}

function statusOf(error: unknown): number {
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined;
  return typeof status === 'number' && status >= 400 && status < 600 ? status : 500;
}
