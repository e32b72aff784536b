/**
 * Traces relayed requests with OpenTelemetry while the settings turn it on. The libraries are loaded only then, so that
 * they cost nothing otherwise.
 */
import type { Request, Response } from 'express';
import { errorText } from '../../api/errorText.ts';
import { withTimeout } from '../concurrency/boundedWait.ts';
import { getCurrentResponse } from '../http/requests.ts';
import { logLevels, type Log, type LogLevel } from '../logging/log.ts';
import type { LabSettings } from '../settings/schema/types.ts';
import type { Pipeline, PipelineConfig, RelayedRequest, RequestSpan } from './pipeline.ts';

export type TelemetrySettings = Pick<
  LabSettings,
  'otelEnabled' | 'otelServiceName' | 'otelExporter' | 'otelEndpoint' | 'otelProtocol' | 'logLevel'
>;

/** The state of OpenTelemetry in `/health`, by the names that MADSci's managers use. */
export interface TelemetryHealth {
  readonly 'otel.enabled': boolean;
  readonly 'otel.exporter_type': LabSettings['otelExporter'];
  readonly 'otel.endpoint': string | null;
}

let pendingCount = 0;

/** Whether an export is still pending although its pipeline was stopped: it must not delay the end of the process. */
export function isExportPending(): boolean {
  return pendingCount > 0;
}

/** The maximum time in which a pipeline exports its remaining data, in ms. */
const flushTimeoutMs = 1500;

export class Telemetry {
  readonly #log: Log;
  readonly #version: string;
  #settings: TelemetrySettings | null = null;
  /** The configuration of the pipeline as text; empty without one. */
  #configText = '';
  #pipeline: Pipeline | null = null;
  /** The spans of the pending requests. */
  readonly #spans = new WeakMap<Response, RequestSpan>();

  constructor(log: Log, version: string) {
    this.#log = log.scope('telemetry');
    this.#version = version;
  }

  /** Applies the settings. Never rejects: without telemetry the service runs nevertheless. */
  async configure(settings: TelemetrySettings): Promise<void> {
    this.#settings = settings;
    const { otelEnabled, otelServiceName, otelExporter, otelEndpoint, otelProtocol } = settings;
    const config: PipelineConfig = {
      serviceName: otelServiceName,
      version: this.#version,
      exporter: otelExporter,
      endpoint: otelEndpoint,
      protocol: otelProtocol,
    };
    const configText = otelEnabled ? JSON.stringify(config) : '';
    if (configText === this.#configText) return;
    await this.stop();
    this.#configText = configText;
    if (!otelEnabled) return;
    try {
      const { startPipeline } = await import('./pipeline.ts');
      this.#pipeline = await startPipeline(config, this.#log);
    } catch (error) {
      this.#log.warn(`OpenTelemetry is not available: ${errorText(error)}`);
    }
  }

  /** Exports the remaining data within 1.5 s, and stops. */
  async stop(): Promise<void> {
    const pipeline = this.#pipeline;
    this.#pipeline = null;
    this.#configText = '';
    if (pipeline === null) return;
    pendingCount += 1;
    await withTimeout(
      pipeline.stop().finally(() => (pendingCount -= 1)),
      flushTimeoutMs,
      () => this.#log.warn('The last traces could not be exported in time'),
    );
  }

  /**
   * Begins the span of a relayed request, which ends with its response.
   * @returns the headers by which the manager continues the trace
   */
  trace(request: Request, response: Response, relayed: RelayedRequest): Readonly<Record<string, string>> {
    const span = this.#pipeline?.startSpan(request, relayed);
    if (span === undefined) return {};
    this.#spans.set(response, span);
    response.once('close', () => span.end(response));
    return span.headers;
  }

  /** The state for `/health`; `null` while the settings turn it off. */
  health(): TelemetryHealth | null {
    if (this.#settings === null || !this.#settings.otelEnabled) return null;
    return {
      'otel.enabled': this.#pipeline !== null,
      'otel.exporter_type': this.#settings.otelExporter,
      'otel.endpoint': this.#settings.otelEndpoint,
    };
  }

  /** A log whose records of traced requests are exported too, from the level of the settings on. */
  exportingLog(log: Log): Log {
    const write =
      (method: 'debug' | 'info' | 'warn' | 'error', level: LogLevel): Log['info'] =>
      (message, details) => {
        log[method](message, details);
        this.#export(level, message, details);
      };
    return {
      debug: write('debug', 'DEBUG'),
      info: write('info', 'INFO'),
      warn: write('warn', 'WARNING'),
      error: write('error', 'ERROR'),
      scope: (name) => this.exportingLog(log.scope(name)),
    };
  }

  #export(level: LogLevel, message: string, details: Readonly<Record<string, unknown>> = {}): void {
    const response = this.#pipeline === null ? null : getCurrentResponse();
    const span = response === null ? undefined : this.#spans.get(response);
    if (span === undefined || this.#settings === null) return;
    if (logLevels.indexOf(level) < logLevels.indexOf(this.#settings.logLevel)) return;
    this.#pipeline?.emit(span, { level, message, details });
  }
}
