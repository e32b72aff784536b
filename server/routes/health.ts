/** `GET /health`: this service runs. It never asks anybody. */
import type { Router } from 'express';
import { labManagerDescription, type Health } from '../../api/lab/lab.ts';
import { apiRoute } from './api.ts';

export function healthRoute(version: string): Router {
  const body: Health = { healthy: true, description: labManagerDescription, version };
  return apiRoute('/health', (_request, response) => void response.json(body));
}
