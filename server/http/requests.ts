/** The first handlers of every request: the async scope that identifies it, and a check of its target. */
import type { RequestHandler, Response } from 'express';
import { AsyncLocalStorage } from 'node:async_hooks';
import { sendError } from './errors.ts';
import { tryParseUrl } from '../../api/url.ts';

const scope = new AsyncLocalStorage<Response>();

/** Assigns all work of a request to it, including timers and streams, so that an uncaught error still leads to a response. */
export const requestScope: RequestHandler = (_request, response, next) => scope.run(response, next);

/** The response of the request that the running code belongs to; `null` outside of one. */
export function getCurrentResponse(): Response | null {
  return scope.getStore() ?? null;
}

/**
 * Runs handlers without a path in their order, as one handler: matching each as a layer of the router costs more than most
 * of them do. For handlers that return nothing: a rejection would not reach the router.
 */
export function inOrder(...handlers: readonly RequestHandler[]): RequestHandler {
  return handlers.reduceRight((rest, handler) => (request, response, next) => {
    handler(request, response, (error?: unknown) =>
      error === undefined ? void rest(request, response, next) : next(error),
    );
  });
}

/**
 * Refuses targets other than a path or an absolute http(s) address, paths that no file system call may receive, and more
 * than one Host header, so that later handlers can parse them safely.
 */
export const checkRequestTarget: RequestHandler = (request, response, next) => {
  if (!isValidTarget(request.url)) return sendError(response, 400, 'The target of the request is not a path');
  // libuv aborts the process on Windows when a file name contains U+10FFFF (nodejs/node#65060).
  if (/^[^?]*%f4%8f%bf%bf/i.test(request.url))
    return sendError(response, 400, 'The path of this request cannot be decoded');
  // Node uses the first Host header; a proxy in front of it may have used the second.
  if (countHosts(request.rawHeaders) > 1) return sendError(response, 400, 'The request has more than one Host header');
  next();
};

/** @param rawHeaders names and values alternately */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === 'host') count += 1;
  return count;
}

function isValidTarget(target: string): boolean {
  // As the path of an address, any text can be parsed.
  return target.startsWith('/') || (/^https?:\/\//i.test(target) && tryParseUrl(target) !== null);
}
