/** A path of the API: GET and HEAD answer, one trailing slash is tolerated, any other method is a 405. */
import { Router, type RequestHandler } from 'express';
import { sendMethodNotAllowed } from '../http/errors.ts';

export function apiRoute(path: string, handler: RequestHandler): Router {
  const router = Router({ caseSensitive: true, strict: false });
  router.get(path, handler);
  router.all(path, (_request, response) => sendMethodNotAllowed(response));
  return router;
}
