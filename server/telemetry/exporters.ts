/** The exporters of spans and log records that the settings choose. */
import { hrTimeToMilliseconds, ExportResultCode, type ExportResult } from '@opentelemetry/core';
import type { LogRecordExporter } from '@opentelemetry/sdk-logs';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-base';
import { ATTR_HTTP_RESPONSE_STATUS_CODE } from '@opentelemetry/semantic-conventions';
import { errorCode, errorText } from '../../api/errorText.ts';
import type { Log } from '../logging/log.ts';
import { cleanText } from '../logging/text.ts';
import { connectionFailure } from '../net/failure.ts';
import type { LabSettings } from '../settings/schema/types.ts';
import { tryParseUrl } from '../../api/url.ts';

interface OtlpExporters {
  readonly spans: SpanExporter;
  readonly logs: LogRecordExporter;
}

interface Collector {
  readonly protocol: LabSettings['otelProtocol'];
  /** `null`: the address is in the standard variables. */
  readonly endpoint: string | null;
}

/** @throws Error if no valid address of a collector is set */
export async function otlpExporters(collector: Collector, log: Log): Promise<OtlpExporters> {
  const { protocol, endpoint } = collector;
  const url = collectorUrl(collector);
  const { spans, logs } =
    protocol === 'grpc'
      ? (await import('./grpcExporters.ts')).grpcExporters(endpoint)
      : (await import('./httpExporters.ts')).httpExporters(endpoint);
  const failures = new FailureLog(url, log);
  return { spans: withFailureLog(spans, failures), logs: withFailureLog(logs, failures) };
}

/** The address of the collector for messages. */
function collectorUrl({ endpoint }: Collector): URL {
  const { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: traces, OTEL_EXPORTER_OTLP_ENDPOINT: base } = process.env;
  const address = endpoint ?? traces ?? base;
  if (!address)
    throw new Error(
      'LAB_OTEL_EXPORTER is otlp, but LAB_OTEL_ENDPOINT does not name the collector; nothing is exported',
    );
  const url = tryParseUrl(address);
  if (url === null) throw new Error('OTEL_EXPORTER_OTLP_ENDPOINT is not an address; nothing is exported');
  return url;
}

/** Logs when exports begin to fail and when they succeed again: one line each, however long that takes. */
class FailureLog {
  readonly #url: URL;
  readonly #log: Log;
  #lostCount = 0;

  constructor(url: URL, log: Log) {
    this.#url = url;
    this.#log = log;
  }

  record({ code, error }: ExportResult, count: number): void {
    if (code === ExportResultCode.FAILED) {
      if (this.#lostCount === 0)
        this.#log.warn(`Traces cannot be exported to ${this.#url.host}: ${this.#reason(error)}`);
      this.#lostCount += count;
    } else if (this.#lostCount > 0) {
      this.#log.info(
        `Traces are exported to ${this.#url.host} again; spans and log records lost meanwhile: ${this.#lostCount}`,
      );
      this.#lostCount = 0;
    }
  }

  #reason(error: Error | undefined): string {
    if (error === undefined) return 'unknown error';
    if (typeof errorCode(error) === 'string') return cleanText(connectionFailure(error, this.#url));
    const message = errorText(error);
    // The messages of gRPC and of the exporter contain the network's error code, or only a kind of error.
    const [networkError] = /\bE[A-Z]{4,}\b/.exec(message) ?? [];
    if (networkError !== undefined && !message.includes('DEADLINE')) {
      return cleanText(connectionFailure(Object.assign(new Error(message), { code: networkError }), this.#url));
    }
    if (/DEADLINE_EXCEEDED|timed? ?out/i.test(message)) return 'no response in time';
    if (message.includes('retryable status')) return 'temporary error of the collector (HTTP 429, 502, 503 or 504)';
    const status = 'code' in error ? error.code : null;
    if (typeof status !== 'number' || status < 100) return cleanText(message);
    return `HTTP ${status}${status < 400 ? ' (redirects are not followed)' : ''}`;
  }
}

interface Exporter<Item> {
  export(items: Item[], done: (result: ExportResult) => void): void;
  shutdown(): Promise<void>;
  forceFlush?(): Promise<void>;
}

/** The exporter with its failures in the log. */
function withFailureLog<Item>(exporter: Exporter<Item>, failures: FailureLog): Required<Exporter<Item>> {
  return {
    export: (items, done) =>
      exporter.export(items, (result) => {
        failures.record(result, items.length);
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}

/** Writes each span as a line of the log, for labs without a collector. */
export class LogSpanExporter implements SpanExporter {
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    for (const span of spans) {
      const { traceId, spanId } = span.spanContext();
      const status = span.attributes[ATTR_HTTP_RESPONSE_STATUS_CODE] ?? 'aborted';
      this.#log.info(`${span.name} ${String(status)}`, {
        trace_id: traceId,
        span_id: spanId,
        parent_span_id: span.parentSpanContext?.spanId,
        ms: Math.round(hrTimeToMilliseconds(span.duration)),
      });
    }
    done({ code: ExportResultCode.SUCCESS });
  }

  async shutdown(): Promise<void> {
    // Nothing is buffered.
  }
}
