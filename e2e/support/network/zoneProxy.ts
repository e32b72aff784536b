/**
 * Simulates a manager on a host in another time zone: times without a zone are converted in both directions. IDs and
 * times with a zone stay unchanged.
 */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { formatManagerTime, parseManagerTime, type HostZone } from '#api/time/time.ts';

export interface ZoneProxy {
  readonly url: string;
  stop(): Promise<void>;
}

const naiveStamp = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?![\d.]|Z|[+-]\d{2}:?\d{2})/g;

/** Returns the text with each naive time of one zone converted to the other. */
function convertTime(text: string, from: HostZone, to: HostZone): string {
  return text.replaceAll(naiveStamp, (stamp) => {
    const moment = parseManagerTime(stamp, from);
    if (moment === null) return stamp;
    const [seconds = '', fraction = ''] = stamp.split('.');
    const converted = formatManagerTime(moment, to);
    return fraction === '' ? converted.slice(0, seconds.length) : `${converted.slice(0, seconds.length)}.${fraction}`;
  });
}

const localZone = new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Serves the manager at `target`, whose times are in this process's zone, as if its host were in `zone`. */
export async function startZoneProxy(target: string, zone: HostZone): Promise<ZoneProxy> {
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = convertTime(decodeURIComponent(request.url ?? '/'), zone, localZone);
      const body = convertTime(Buffer.concat(chunks).toString(), zone, localZone);
      const { 'content-length': _length, ...headers } = request.headers;
      const forwardedRequest = http.request(
        new URL(encodeURI(path), target),
        { method: request.method, headers },
        (upstream) => {
          const responseChunks: Buffer[] = [];
          upstream.on('data', (chunk: Buffer) => responseChunks.push(chunk));
          upstream.on('end', () => {
            const { 'content-length': _old, 'transfer-encoding': _encoding, ...responseHeaders } = upstream.headers;
            response
              .writeHead(upstream.statusCode ?? 502, responseHeaders)
              .end(convertTime(Buffer.concat(responseChunks).toString(), localZone, zone));
          });
        },
      );
      forwardedRequest.on('error', () => response.destroy());
      forwardedRequest.end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
