/** The exporters of OTLP over gRPC, in a separate file because they are loaded only when the settings choose them. */
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-grpc';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-grpc';

/** @param endpoint `null`: the address is in the standard variables */
export function grpcExporters(endpoint: string | null) {
  const config = endpoint === null ? {} : { url: endpoint };
  return { spans: new OTLPTraceExporter(config), logs: new OTLPLogExporter(config) };
}
