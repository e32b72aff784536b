/** Tests TLS and plain HTTP on the port of a running service, with certificates in files. */
import { once } from 'node:events';
import https from 'node:https';
import net from 'node:net';
import { join } from 'node:path';
import tls from 'node:tls';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { useAdvancingClock, type ManualClock } from '#api/fixtures/manualClock.ts';
import { sessionResponse } from '#api/lab/access.ts';
import { renewedCertificate, selfSignedCertificate } from '#e2e/support/network/selfSigned.ts';
import { sendRequest } from '#e2e/support/rawRequest.ts';
import { startService, type TestService } from '#e2e/support/service.ts';

const services: TestService[] = [];
const closers: (() => void)[] = [];
let time: ManualClock;
beforeEach(() => {
  time = useAdvancingClock();
});
afterEach(async () => {
  for (const close of closers.splice(0)) close();
  await Promise.all(services.splice(0).map((service) => service.stop()));
});

const settings = { LAB_TLS_CERT_FILE: 'cert.pem', LAB_TLS_KEY_FILE: 'key.pem', LAB_REMOTE_ACCESS: 'view' };

const pem = { 'cert.pem': selfSignedCertificate.cert, 'key.pem': selfSignedCertificate.key };

/** Starts a service with these files in the lab's folder. */
async function startTestService(
  files: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>> = settings,
) {
  const service = await startService({ files, env });
  services.push(service);
  return service;
}

/** Requests a path over TLS. */
function secureRequest(port: number, path: string): Promise<{ readonly status: number; readonly body: string }> {
  return new Promise((resolve, reject) => {
    https
      .get({ host: '127.0.0.1', port, path, rejectUnauthorized: false, agent: false }, (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (text: string) => (body += text));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
      })
      .on('error', reject);
  });
}

/** Returns the subject of the certificate that the service presents. */
function readCertificateSubject(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = tls.connect({ host: '127.0.0.1', port, rejectUnauthorized: false }, () => {
      resolve(String(socket.getPeerCertificate().subject.CN));
      socket.destroy();
    });
    socket.on('error', reject);
  });
}

describe('a service with a TLS certificate', () => {
  it('serves https and http on its port, and this machine is administrator over https', async () => {
    const service = await startTestService(pem);
    expect(await readCertificateSubject(service.port)).toBe('localhost');
    for (const path of ['/health', '/context']) {
      expect((await secureRequest(service.port, path)).status).toBe(200);
      expect((await sendRequest(service.port, path)).status).toBe(200);
    }
    const described = sessionResponse.parse(JSON.parse((await secureRequest(service.port, '/session')).body));
    expect(described.user).toMatchObject({ role: 'administrator', via: 'loopback' });
  });

  it('presents a renewed certificate to new connections, and stays reachable while the files do not match', async () => {
    const service = await startTestService(pem);
    await service.write({ 'cert.pem': renewedCertificate.cert });
    const warning = /cert\.pem and .*key\.pem are not a certificate and its key.*The previous certificate stays in use/;
    await vi.waitFor(() => expect(service.log.join('\n')).toMatch(warning));
    expect(await readCertificateSubject(service.port)).toBe('localhost');
    await service.write({ 'key.pem': renewedCertificate.key });
    await vi.waitFor(async () => expect(await readCertificateSubject(service.port)).toBe('renewed.example'));
  });

  it('accepts one file with certificate and key', async () => {
    const env = { LAB_TLS_CERT_FILE: 'both.pem' };
    const service = await startTestService(
      { 'both.pem': `${selfSignedCertificate.cert}\n${selfSignedCertificate.key}` },
      env,
    );
    expect(await readCertificateSubject(service.port)).toBe('localhost');
  });

  it.each([
    [
      'a missing key',
      { 'cert.pem': selfSignedCertificate.cert },
      /LAB_TLS_KEY_FILE: .*key\.pem can't be read: it does not exist/,
    ],
    [
      'a key of another certificate',
      { ...pem, 'key.pem': renewedCertificate.key },
      /are not a certificate and its key/,
    ],
    ['garbage', { ...pem, 'cert.pem': 'garbage' }, /are not a certificate and its key/],
  ])('starts without https when there is %s, reports it, and corrects itself', async (_name, files, warning) => {
    const service = await startTestService(files);
    expect(service.log.join('\n')).toMatch(warning);
    expect(service.log.join('\n')).toContain('There is no https until this is corrected');
    await expect(secureRequest(service.port, '/health')).rejects.toThrow();
    expect((await sendRequest(service.port, '/health')).status).toBe(200);
    await service.write(pem);
    await vi.waitFor(async () => expect(await readCertificateSubject(service.port)).toBe('localhost'));
  });

  it('shows only the names of the files in /settings', async () => {
    const service = await startTestService(pem, {
      ...settings,
      LAB_TLS_KEY_FILE: join(import.meta.dirname, 'key.pem'),
    });
    const { body } = await sendRequest(service.port, '/settings');
    expect(JSON.parse(body)).toMatchObject({ settings: { tls_cert_file: 'cert.pem', tls_key_file: 'key.pem' } });
  });
});

describe('a client of a port with TLS', () => {
  async function connect(port: number): Promise<net.Socket> {
    const socket = net.connect(port, '127.0.0.1');
    closers.push(() => socket.destroy());
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  }

  it.each([
    ['sends nothing', ''],
    ['begins a handshake and stops', '\u0016\u0003\u0001'],
    ['sends a handshake of garbage', `\u0016${'x'.repeat(1000)}`],
    ['ends after the first byte', 'G'],
  ])('blocks neither others nor the end of the service when it %s', async (_name, bytes) => {
    const service = await startTestService(pem);
    const socket = await connect(service.port);
    if (bytes !== '') socket.write(bytes, 'latin1');
    expect((await secureRequest(service.port, '/health')).status).toBe(200);
    expect((await sendRequest(service.port, '/health')).status).toBe(200);
    const startedAt = time.monotonic();
    await service.manager.stop();
    expect(time.monotonic() - startedAt).toBeLessThan(5000);
    if (!socket.closed) await once(socket.resume(), 'close');
  });

  it('receives its response when it sends its request byte by byte', async () => {
    const service = await startTestService(pem);
    const socket = await connect(service.port);
    let text = '';
    socket.setEncoding('utf8').on('data', (part: string) => (text += part));
    for (const byte of 'GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n') {
      socket.write(byte);
      await new Promise(setImmediate);
    }
    await once(socket, 'close');
    expect(text).toMatch(/^HTTP\/1\.1 200 OK[^]*"healthy":true/);
  });

  it('is disconnected when it sends too many pipelined requests over TLS', async () => {
    const service = await startTestService(pem);
    const socket = tls.connect({ host: '127.0.0.1', port: service.port, rejectUnauthorized: false });
    closers.push(() => socket.destroy());
    socket.on('error', () => undefined);
    await once(socket, 'secureConnect');
    socket.write('GET /lab_health HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(50));
    await once(socket.resume(), 'close');
    expect((await secureRequest(service.port, '/health')).status).toBe(200);
  });
});
