/** Security headers of all responses, and the content security policies of the served pages. */
import type { RequestHandler, Response } from 'express';

/** For JSON: no resource may be loaded from it. */
const apiPolicy = "default-src 'none'; frame-ancestors 'none'";

/** The bundled dashboard. `connect-src` lists whole schemes because the managers' addresses change at run time. */
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

/** Swagger UI from bundled files. */
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

/** The user guide: only its own files. */
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

/** A user's dashboard directory must work unchanged, so only framing is forbidden. */
export const customDashboardPolicy = "frame-ancestors 'none'";

/** Sets the headers of every response; a route that serves pages sets its own policy afterwards. */
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
