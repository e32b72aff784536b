/**
 * The pipeline of OpenTelemetry: its official SDK with the exporter that the settings choose. Queues, batches, sampling, headers
 * and certificates follow the standard variables of the SDK (`OTEL_BSP_…`, `OTEL_TRACES_SAMPLER`, `OTEL_EXPORTER_OTLP_HEADERS` …).
 */
import {
  defaultTextMapGetter,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Span,
} from '@opentelemetry/api';
import { SeverityNumber } from '@opentelemetry/api-logs';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { detectResources, envDetector, hostDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  SimpleSpanProcessor,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-base';
import { ATTR_SERVICE_NAME, ATTR_SERVICE_VERSION } from '@opentelemetry/semantic-conventions';
import type { Request, Response } from 'express';
import type { Log, LogLevel } from '../logging/log.ts';
import { logText } from '../logging/text.ts';
import type { LabSettings } from '../settings/schema/types.ts';
import { LogSpanExporter, otlpExporters } from './exporters.ts';
import { endAttributes, startAttributes, spanName, type RelayedRequest } from './spanAttributes.ts';

export type { RelayedRequest } from './spanAttributes.ts';

export interface PipelineConfig {
  readonly serviceName: string | null;
  readonly version: string;
  readonly exporter: LabSettings['otelExporter'];
  readonly endpoint: string | null;
  readonly protocol: LabSettings['otelProtocol'];
}

interface LogEvent {
  readonly level: LogLevel;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** The service's name in the traces of MADSci's own lab manager. */
const defaultServiceName = 'madsci.labmanager';

const severities: Readonly<Record<LogLevel, SeverityNumber>> = {
  DEBUG: SeverityNumber.DEBUG,
  INFO: SeverityNumber.INFO,
  WARNING: SeverityNumber.WARN,
  ERROR: SeverityNumber.ERROR,
  CRITICAL: SeverityNumber.FATAL,
};

// Baggage of a client is not propagated, because it may not be intended for this lab.
const propagator = new W3CTraceContextPropagator();

/** @throws Error if the exporter needs a collector, and no valid address of one is set */
export async function startPipeline(config: PipelineConfig, log: Log): Promise<Pipeline> {
  const { serviceName, version, exporter } = config;
  const resource = resourceFromAttributes({ [ATTR_SERVICE_NAME]: defaultServiceName, [ATTR_SERVICE_VERSION]: version })
    .merge(detectResources({ detectors: [hostDetector, envDetector] }))
    .merge(resourceFromAttributes(serviceName === null ? {} : { [ATTR_SERVICE_NAME]: serviceName }));
  const exporters = exporter === 'otlp' ? await otlpExporters(config, log) : null;
  const spanProcessors =
    exporters !== null
      ? [new BatchSpanProcessor(exporters.spans)]
      : exporter === 'console'
        ? [new SimpleSpanProcessor(new LogSpanExporter(log))]
        : [];
  const processors = exporters === null ? [] : [new BatchLogRecordProcessor({ exporter: exporters.logs })];
  return new Pipeline(
    new BasicTracerProvider({ resource, spanProcessors }),
    new LoggerProvider({ resource, processors }),
    version,
    exporters === null ? [] : [exporters.spans, exporters.logs],
  );
}

export class Pipeline {
  readonly #traces: BasicTracerProvider;
  readonly #logs: LoggerProvider;
  readonly #version: string;
  readonly #exporters: readonly Pick<SpanExporter, 'shutdown'>[];

  constructor(
    traces: BasicTracerProvider,
    logs: LoggerProvider,
    version: string,
    exporters: readonly Pick<SpanExporter, 'shutdown'>[],
  ) {
    this.#traces = traces;
    this.#logs = logs;
    this.#version = version;
    this.#exporters = exporters;
  }

  /** Begins a span within the trace of the client, if it sends one. */
  startSpan(request: Request, relayed: RelayedRequest): RequestSpan {
    const parent = propagator.extract(ROOT_CONTEXT, request.headers, defaultTextMapGetter);
    const options = { kind: SpanKind.SERVER, attributes: startAttributes(request, relayed) };
    const span = this.#traces
      .getTracer('lab-manager', this.#version)
      .startSpan(spanName(request, relayed), options, parent);
    return new RequestSpan(span, parent);
  }

  /** Exports a log record of a traced request. */
  emit({ context }: RequestSpan, { level, message, details }: LogEvent): void {
    this.#logs.getLogger('lab-manager', this.#version).emit({
      context,
      severityNumber: severities[level],
      severityText: level,
      body: logText(message),
      attributes: Object.fromEntries(Object.entries(details).map(([name, value]) => [name, toAttribute(value)])),
    });
  }

  /** Exports the remaining data, and stops. This can take as long as the exporters' timeouts. */
  async stop(): Promise<void> {
    await Promise.allSettled([this.#traces.shutdown(), this.#logs.shutdown()]);
    // The SDK leaves the connection of an exporter open if its last export fails.
    await Promise.allSettled(this.#exporters.map((exporter) => exporter.shutdown()));
  }
}

export class RequestSpan {
  readonly #span: Span;
  readonly context: Context;
  /** The headers by which the manager continues the trace. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(span: Span, parent: Context) {
    this.#span = span;
    this.context = trace.setSpan(parent, span);
    const headers: Record<string, string> = {};
    propagator.inject(this.context, headers, defaultTextMapSetter);
    this.headers = headers;
  }

  end(response: Response): void {
    const { attributes, isError } = endAttributes(response);
    this.#span.setAttributes(attributes);
    if (isError) this.#span.setStatus({ code: SpanStatusCode.ERROR });
    this.#span.end();
  }
}

function toAttribute(value: unknown): string | number | boolean {
  return typeof value === 'number' || typeof value === 'boolean' ? value : logText(String(value));
}
