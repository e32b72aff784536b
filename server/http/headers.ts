/** Security headers of every answer, and the content security policies of the page and of the API’s documentation. */
import type { RequestHandler, Response } from 'express';

/** For JSON: nothing may be loaded from it. */
const apiPolicy = "default-src 'none'; frame-ancestors 'none'";

/** The bundled dashboard. `connect-src` names whole schemes because the managers' addresses change at run time. */
export const dashboardPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "connect-src 'self' http: https:",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Swagger UI from our own files. */
export const docsPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The user guide: its own files, and nobody to ask. */
export const guidePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** A dashboard directory of the user's: it must work as it is, so nothing but framing is forbidden. */
export const foreignPolicy = "frame-ancestors 'none'";

/** Sets what every answer carries; a route that serves pages sets its own policy afterwards. */
export const securityHeaders: RequestHandler = (_request, response, next) => {
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('X-Frame-Options', 'DENY');
  setPolicy(response, apiPolicy);
  next();
};

export function setPolicy(response: Response, policy: string): void {
  response.setHeader('Content-Security-Policy', policy);
}
