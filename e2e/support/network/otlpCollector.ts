/** A collector that receives OTLP over HTTP and gRPC, and decodes it with the messages that OpenTelemetry generates. */
import otlp from '@opentelemetry/otlp-proto-exporter-base/build/src/generated/root.js';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createHttp2Server, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import * as z from 'zod';

const attribute = z.object({
  key: z.string(),
  value: z.object({
    stringValue: z.string().optional(),
    intValue: z.coerce.number().optional(),
    arrayValue: z.object({ values: z.array(z.object({ stringValue: z.string() })) }).optional(),
  }),
});
const attributes = z.array(attribute).default([]);
/** In the objects of protobuf.js, bytes are base64. */
const id = z.string().transform((text) => Buffer.from(text, 'base64').toString('hex'));
const resourceSchema = z.object({ attributes });

const traces = z.object({
  resourceSpans: z.array(
    z.object({
      resource: resourceSchema,
      scopeSpans: z.array(
        z.object({
          spans: z.array(
            z.object({
              name: z.string(),
              traceId: id,
              spanId: id,
              parentSpanId: id.optional(),
              kind: z.string(),
              attributes,
              status: z
                .object({ code: z.string().default('STATUS_CODE_UNSET') })
                .default({ code: 'STATUS_CODE_UNSET' }),
            }),
          ),
        }),
      ),
    }),
  ),
});
const logs = z.object({
  resourceLogs: z.array(
    z.object({
      resource: resourceSchema,
      scopeLogs: z.array(
        z.object({
          logRecords: z.array(
            z.object({
              traceId: id,
              spanId: id,
              severityText: z.string(),
              body: z.object({ stringValue: z.string() }),
            }),
          ),
        }),
      ),
    }),
  ),
});

type Attributes = Readonly<Record<string, string | number | readonly string[]>>;

export interface ReceivedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string | undefined;
  readonly kind: string;
  readonly attributes: Attributes;
  readonly status: { readonly code: string };
  readonly resource: Attributes;
}

export interface ReceivedLog {
  readonly traceId: string;
  readonly spanId: string;
  readonly severityText: string;
  readonly body: string;
  readonly resource: Attributes;
}

/** The types of the generated code, which declares none. */
interface MessageType {
  decode(body: Buffer): object;
  toObject(message: object, conversion: object): unknown;
}
interface Messages {
  readonly opentelemetry: {
    readonly proto: {
      readonly collector: {
        readonly trace: { readonly v1: { readonly ExportTraceServiceRequest: MessageType } };
        readonly logs: { readonly v1: { readonly ExportLogsServiceRequest: MessageType } };
      };
    };
  };
}

/** A code of gRPC that ends an export without a retry. */
const invalidArgument = 3;
/** The length of the compression flag and the size before each message of gRPC. */
const grpcPrefixLength = 5;

const services = (otlp as unknown as Messages).opentelemetry.proto.collector;
const conversion = { bytes: String, longs: String, enums: String } as const;

export class OtlpCollector {
  readonly spans: ReceivedSpan[] = [];
  readonly logs: ReceivedLog[] = [];
  /** The headers of each request over HTTP. */
  readonly requests: IncomingMessage['headers'][] = [];
  /** `hang`: never responds; a number: responds over HTTP with this status. */
  behaviour: 'receive' | 'hang' | number = 'receive';
  readonly #http: Server;
  readonly #grpc = createHttp2Server();
  readonly #grpcSessions = new Set<ServerHttp2Session>();
  /** Rejects each request that has no response yet. */
  readonly #rejections: (() => void)[] = [];

  constructor() {
    this.#http = createServer((request, response) => void this.#respond(request, response));
    this.#grpc.on('session', (session) => this.#grpcSessions.add(session));
    this.#grpc.on('stream', (stream, { ':path': path }) => void this.#respondByGrpc(stream, path));
  }

  async start(): Promise<this> {
    for (const server of [this.#http, this.#grpc])
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  get httpAddress(): string {
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}`;
  }

  get grpcAddress(): string {
    return `http://127.0.0.1:${(this.#grpc.address() as AddressInfo).port}`;
  }

  /** Responds to the requests that hang, with a status that ends their export. */
  rejectHanging(): void {
    for (const reject of this.#rejections.splice(0)) reject();
  }

  stop(): void {
    this.#http.close();
    this.#http.closeAllConnections();
    this.#grpc.close();
    for (const session of this.#grpcSessions) session.destroy();
  }

  async #respondByGrpc(stream: ServerHttp2Stream, path = ''): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).subarray(grpcPrefixLength);
    const end = (status: number): void => {
      // The exporter has given up.
      if (stream.destroyed) return;
      stream.respond({ 'content-type': 'application/grpc' }, { waitForTrailers: true });
      stream.once('wantTrailers', () => stream.sendTrailers({ 'grpc-status': String(status) }));
      stream.end(Buffer.alloc(grpcPrefixLength));
    };
    if (this.behaviour === 'hang') {
      this.#rejections.push(() => end(invalidArgument));
      return;
    }
    if (path === '/opentelemetry.proto.collector.trace.v1.TraceService/Export') this.#receiveSpans(body);
    else this.#receiveLogs(body);
    end(0);
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    this.requests.push(request.headers);
    if (this.behaviour === 'hang') {
      this.#rejections.push(() => response.writeHead(400).end());
      return;
    }
    if (typeof this.behaviour === 'number') return void response.writeHead(this.behaviour).end();
    const isTraces = request.url === '/v1/traces';
    if (!isTraces && request.url !== '/v1/logs') return void response.writeHead(404).end();
    const body = Buffer.concat(chunks);
    if (isTraces) this.#receiveSpans(body);
    else this.#receiveLogs(body);
    response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
  }

  #receiveSpans(body: Buffer): void {
    const type = services.trace.v1.ExportTraceServiceRequest;
    const { resourceSpans } = traces.parse(type.toObject(type.decode(body), conversion));
    for (const { resource, scopeSpans } of resourceSpans)
      for (const span of scopeSpans.flatMap(({ spans }) => spans))
        this.spans.push({
          ...span,
          attributes: parseAttributes(span.attributes),
          resource: parseAttributes(resource.attributes),
        });
  }

  #receiveLogs(body: Buffer): void {
    const type = services.logs.v1.ExportLogsServiceRequest;
    const { resourceLogs } = logs.parse(type.toObject(type.decode(body), conversion));
    for (const { resource, scopeLogs } of resourceLogs)
      for (const { body: text, ...record } of scopeLogs.flatMap(({ logRecords }) => logRecords))
        this.logs.push({ ...record, body: text.stringValue, resource: parseAttributes(resource.attributes) });
  }
}

function parseAttributes(list: z.infer<typeof attributes>): Attributes {
  return Object.fromEntries(
    list.map(({ key, value: { stringValue, intValue, arrayValue } }) => [
      key,
      arrayValue?.values.map((each) => each.stringValue) ?? stringValue ?? intValue ?? '',
    ]),
  );
}
