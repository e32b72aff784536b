import { writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterEach, describe, expect, it } from 'vitest';
import { selfSignedCertificate } from '../../e2e/support/network/selfSigned.ts';
import { sampleNotification } from '../fixtures/sampleNotification.ts';
import { makeTempFolder } from '../fixtures/tempFolder.ts';
import type { Notification } from './channel.ts';
import { email } from './email.ts';

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const end of cleanups.splice(0)) end();
});

interface Received {
  readonly user: string | null;
  readonly secure: boolean;
  readonly recipients: readonly string[];
  readonly text: string;
}

/** A mail server with a private certificate. */
async function mailServer(options: SMTPServerOptions = {}): Promise<{ host: string; received: Received[] }> {
  const received: Received[] = [];
  const server = new SMTPServer({
    authOptional: true,
    ...selfSignedCertificate,
    onAuth: ({ username = '', password }, _session, done) =>
      password === 'p@ss' ? done(null, { user: username }) : done(new Error('wrong password')),
    onData: (stream, session, done) => {
      let text = '';
      stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
      stream.on('end', () => {
        const recipients = session.envelope.rcptTo.map(({ address }) => address);
        received.push({
          user: typeof session.user === 'string' ? session.user : null,
          secure: session.secure,
          recipients,
          text,
        });
        done();
      });
    },
    ...options,
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => void server.close());
  return { host: `127.0.0.1:${(server.server.address() as AddressInfo).port}`, received };
}

const query = '?from=lab@lab.example&to=ann@lab.example,bob@lab.example';
const sender = { labName: 'Bench 4', url: 'http://bench4:8000/' };
const options = { version: '1.2.3', key: 'key-1', isIdempotent: false };
const outage: Notification = { ...sampleNotification(), path: '/lab', at: Date.UTC(2026, 2, 2, 14, 2, 11) };
const send = (address: string, changes: Partial<Notification> = {}, extraOptions: object = {}) =>
  email.deliver(new URL(address), { ...outage, ...changes }, sender, { ...options, ...extraOptions });

describe('an e-mail', () => {
  it('has lab and title as its subject, reason, link and time as its text, and goes to each recipient', async () => {
    const { host, received } = await mailServer();
    expect(await send(`smtp://${host}/${query}`)).toEqual({ ok: true });
    expect(received).toMatchObject([{ recipients: ['ann@lab.example', 'bob@lab.example'], user: null }]);
    const [headers = '', ...text] = received[0]?.text.replaceAll('\r', '').split('\n\n') ?? [];
    expect(headers).toContain('Subject: Bench 4: Data Manager: unreachable');
    expect(headers).toContain('From: Bench 4 <lab@lab.example>');
    expect(headers).toContain('Message-ID: <key-1@lab-manager>');
    expect(headers).toContain('Auto-Submitted: auto-generated');
    expect(text.join('\n').trim().split('\n')).toEqual([
      'Data Manager: unreachable',
      'connection refused',
      'http://bench4:8000/lab',
      '2026-03-02 14:02:11 UTC',
    ]);
  });

  it('accepts no header and no recipient from a name of the lab', async () => {
    const { host, received } = await mailServer();
    const title = 'arm\r\nBcc: eve@evil.example\r\n\r\n<eve@evil.example>';
    expect(await send(`smtp://${host}/${query}`, { title })).toEqual({ ok: true });
    expect(received[0]?.recipients).toEqual(['ann@lab.example', 'bob@lab.example']);
    const [headers = ''] = received[0]?.text.split('\r\n\r\n') ?? [];
    expect(headers).not.toMatch(/^Bcc:/m);
  });

  it('is sent over an encrypted connection when the server offers it, with any certificate', async () => {
    const { host, received } = await mailServer();
    expect(await send(`smtp://${host}/${query}`)).toEqual({ ok: true });
    expect(received[0]?.secure).toBe(true);
  });
});

describe('a password of the e-mail channel', () => {
  it('is sent to a server with a trusted certificate', async () => {
    const { host, received } = await mailServer({ authOptional: false });
    const folder = await makeTempFolder();
    cleanups.push(() => void folder.remove());
    const certificate = join(folder.path, 'lab.pem');
    await writeFile(certificate, selfSignedCertificate.cert);
    const address = `smtp://lab:p%40ss@${host}/${query}`;
    expect(await send(`${address}&ca=${certificate}`)).toEqual({ ok: true });
    expect(received).toMatchObject([{ user: 'lab', secure: true }]);
    expect(await send(`${address}&ca=${certificate}.missing`)).toEqual({
      ok: false,
      reason: expect.stringContaining('ENOENT') as string,
      isRetryable: true,
    });
  });

  it('is not sent to a server with an untrusted certificate', async () => {
    const { host, received } = await mailServer({ authOptional: false });
    const result = await send(`smtp://lab:p%40ss@${host}/${query}`);
    expect(result).toMatchObject({ ok: false, reason: expect.stringContaining('certificate') as string });
    expect(received).toEqual([]);
  });

  it('is not sent without encryption', async () => {
    const attempts: string[] = [];
    const { host } = await mailServer({
      hideSTARTTLS: true,
      allowInsecureAuth: true,
      disabledCommands: ['STARTTLS'],
      onAuth: ({ username = '' }, _session, done) => {
        attempts.push(username);
        done(null, { user: username });
      },
    });
    expect(await send(`smtp://lab:p%40ss@${host}/${query}`)).toMatchObject({ ok: false });
    expect(attempts).toEqual([]);
  });
});

describe('a failed e-mail delivery', () => {
  it('is retryable when the server is unreachable or temporarily unavailable', async () => {
    expect(await send(`smtp://127.0.0.1:9/${query}`)).toMatchObject({ ok: false, isRetryable: true });
    const { host } = await mailServer({
      onMailFrom: (_address, _session, done) => done(Object.assign(new Error('try later'), { responseCode: 451 })),
    });
    expect(await send(`smtp://${host}/${query}`)).toMatchObject({ ok: false, isRetryable: true });
  });

  it('is not retryable when the server rejects the message, and reports the reason', async () => {
    const { host } = await mailServer({
      onMailFrom: (_address, _session, done) => done(Object.assign(new Error('no relaying'), { responseCode: 550 })),
    });
    expect(await send(`smtp://${host}/${query}`)).toEqual({
      ok: false,
      reason: expect.stringMatching(/^127\.0\.0\.1: .*no relaying/) as string,
      isRetryable: false,
    });
  });

  it('counts the recipients that the server rejected', async () => {
    const { host, received } = await mailServer({
      onRcptTo: ({ address }, _session, done) =>
        address.startsWith('bob') ? done(Object.assign(new Error('unknown'), { responseCode: 550 })) : done(),
    });
    expect(await send(`smtp://${host}/${query}`)).toEqual({
      ok: false,
      reason: 'the mail server refused 1 of 2 recipients',
      isRetryable: false,
    });
    expect(received[0]?.recipients).toEqual(['ann@lab.example']);
  });

  it('ends after its timeout or when it is aborted, and is retryable', async () => {
    const { host } = await mailServer({ onConnect: () => undefined });
    const address = `smtp://${host}/${query}`;
    expect(await send(address, {}, { timeoutMs: 300 })).toEqual({
      ok: false,
      reason: 'timed out after 0.3 s',
      isRetryable: true,
    });
    const stop = new AbortController();
    const delivery = send(address, {}, { signal: stop.signal });
    stop.abort();
    expect(await delivery).toMatchObject({ ok: false, isRetryable: true });
  });

  it('never names a recipient in its reason', async () => {
    const { host } = await mailServer({
      onRcptTo: ({ address }, _session, done) =>
        done(Object.assign(new Error(`no mailbox ${address}`), { responseCode: 550 })),
    });
    const result = await send(`smtp://${host}/${query}`);
    expect(result).toMatchObject({ ok: false, isRetryable: false });
    expect(JSON.stringify(result)).not.toMatch(/ann|bob|lab@/);
  });

  it('never names user or password in its reason', async () => {
    const result = await send(`smtp://carol:hunter2@127.0.0.1:9/${query}`);
    expect(JSON.stringify(result)).not.toMatch(/carol|hunter2/);
  });
});
