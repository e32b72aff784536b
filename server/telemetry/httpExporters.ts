/** The exporters of OTLP over HTTP, with protobuf as MADSci's managers send it. */
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-proto';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';

/** @param endpoint `null`: the address is in the standard variables */
export function httpExporters(endpoint: string | null) {
  const config = (signal: 'traces' | 'logs') => (endpoint === null ? {} : { url: signalUrl(endpoint, signal) });
  return { spans: new OTLPTraceExporter(config('traces')), logs: new OTLPLogExporter(config('logs')) };
}

/**
 * The address for a signal. MADSci's managers send traces to the configured address itself, so it may already end in
 * `/v1/traces`.
 */
function signalUrl(endpoint: string, signal: 'traces' | 'logs'): string {
  const url = new URL(endpoint);
  const base = url.pathname.replace(/\/v1\/(?:traces|logs|metrics)\/?$/, '').replace(/\/+$/, '');
  url.pathname = `${base}/v1/${signal}`;
  return url.href;
}
