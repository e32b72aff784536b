/** Which request the running code belongs to, so that an error nobody caught can still be answered. */
import type { RequestHandler, Response } from 'express';
import { AsyncLocalStorage } from 'node:async_hooks';

const scope = new AsyncLocalStorage<Response>();

/** Everything that a request sets off, timers and streams included, belongs to it. */
export const requestScope: RequestHandler = (_request, response, next) => scope.run(response, next);

/** The answer to the request that the running code belongs to; `null` outside of one. */
export function currentResponse(): Response | null {
  return scope.getStore() ?? null;
}
