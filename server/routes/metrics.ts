/** `GET /metrics`: the lab and this service for Prometheus. */
import type { RequestHandler } from 'express';
import { sendError } from '../http/errors.ts';
import type { LabSettings } from '../settings/schema/types.ts';
import type { LabMetrics } from '../metrics/labMetrics.ts';
import { exactRoutes } from './api.ts';

const contentType = 'text/plain; version=0.0.4; charset=utf-8';

export function metricsRoute(metrics: LabMetrics, settings: { readonly value: LabSettings }): RequestHandler {
  const handler: RequestHandler = async (_request, response) => {
    if (!settings.value.metrics)
      return sendError(response, 404, 'Not Found: the metrics are switched off by LAB_METRICS');
    response.type(contentType).send(await metrics.text());
  };
  return exactRoutes([['/metrics', handler]]);
}
