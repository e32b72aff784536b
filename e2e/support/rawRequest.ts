/** A minimal HTTP client for tests: it normalizes nothing, follows no redirects and keeps no connection open. */
import http from 'node:http';
import net from 'node:net';

export interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface RawRequestOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: 127.0.0.1. */
  readonly host?: string;
  readonly signal?: AbortSignal;
  /** Only for `sendRequest`. */
  readonly body?: string;
}

/** Requests `path` exactly as written, on a separate connection. */
export function sendRequest(port: number, path: string, options: RawRequestOptions = {}): Promise<RawResponse> {
  const { method = 'GET', headers = {}, host = '127.0.0.1', signal, body } = options;
  return new Promise((resolve, reject) => {
    const request = http.request(
      { host, port, path, method, headers, agent: false, ...(signal ? { signal } : {}) },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: Object.fromEntries(
              Object.entries(response.headers).map(([name, value]) => [name, String(value ?? '')]),
            ),
            body: Buffer.concat(chunks).toString('utf8'),
          }),
        );
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

/** Requests `target` over a raw socket, for requests that an HTTP client refuses to send. */
export function requestRaw(port: number, target: string, options: RawRequestOptions = {}): Promise<RawResponse> {
  const { method = 'GET', headers = {}, host = '127.0.0.1' } = options;
  const lines = Object.entries({ host: `${host}:${port}`, ...headers, connection: 'close' });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return requestBytes(port, `${method} ${target} HTTP/1.1\r\n${head}\r\n`, host);
}

/** Sends raw bytes and returns the response. */
export function requestBytes(port: number, bytes: string, host = '127.0.0.1'): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, host);
    const chunks: Buffer[] = [];
    socket.on('error', reject);
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('end', () => resolve(parse(Buffer.concat(chunks).toString('utf8'))));
    socket.write(bytes);
  });
}

function parse(text: string): RawResponse {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return { status: Number(first.split(' ')[1]), headers: Object.fromEntries(headers), body: rest.join('\r\n\r\n') };
}
