/**
 * The sign-in and the stream of changes behind Caddy and nginx, with the configurations of the user guide: only
 * addresses and files differ.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { csrfHeader, sessionResponse, type SessionResponse } from '../../api/lab/access.ts';
import { changesPath } from '../../api/lab/changes.ts';
import { testUser, writeAccounts } from '../../server/fixtures/testUsers.ts';
import { pickFreePort, startLab, type FakeLab } from '../support/managers.ts';
import { renewedCertificate } from '../support/network/selfSigned.ts';
import { makeService, repository, type TestService } from '../support/service.ts';

/** The name in the certificate. */
const host = 'renewed.example';

let folder: string;
let lab: FakeLab;
let service: TestService;
const programs: ChildProcess[] = [];
const ports = { caddy: 0, nginx: 0 };

/** Reads the configuration of a proxy from the guide, and inserts this test's addresses and files. */
async function readProxyConfig(language: string, port: number): Promise<string> {
  const guide = await readFile(join(repository, 'docs/guide/headless.md'), 'utf8');
  const [, text] = new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(guide) ?? [];
  if (text === undefined) throw new Error(`The guide has no configuration of ${language}`);
  return text
    .replaceAll('lab.example.org', language === 'caddyfile' ? `${host}:${port}` : host)
    .replace('listen 443', `listen ${port}`)
    .replaceAll('/etc/lab-manager/tls', folder)
    .replaceAll('127.0.0.1:8000', `127.0.0.1:${service.port}`);
}

function start(program: string, args: readonly string[]): void {
  programs.push(spawn(program, args, { cwd: folder, stdio: 'inherit', env: { ...process.env, HOME: folder } }));
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lab-proxy-'));
  await writeFile(join(folder, 'fullchain.pem'), renewedCertificate.cert);
  await writeFile(join(folder, 'privkey.pem'), renewedCertificate.key);
  const port = await pickFreePort();
  lab = await startLab();
  service = await makeService({
    files: { 'settings.yaml': lab.settings },
    env: {
      LAB_LISTEN_PORT: String(port),
      LAB_REMOTE_ACCESS: 'operate',
      LAB_TRUSTED_PROXY: '["127.0.0.1"]',
      LAB_PROXY_ROLES: '["*=operator"]',
    },
  });
  const users = [testUser('ann', 'operator', 'a long password')];
  await writeAccounts(service.statePath('users.json', port), { users });
  await service.manager.start();
  [ports.caddy, ports.nginx] = [await pickFreePort(), await pickFreePort()];
  const caddy = `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${await readProxyConfig('caddyfile', ports.caddy)}`;
  await writeFile(join(folder, 'Caddyfile'), caddy);
  start('caddy', ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile']);
  await mkdir(join(folder, 'temp'));
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/temp/${name};`,
  );
  const nginx = `daemon off; pid ${folder}/nginx.pid; events {} http { access_log off; ${temporary.join(' ')}\n${await readProxyConfig('nginx', ports.nginx)} }`;
  await writeFile(join(folder, 'nginx.conf'), nginx);
  start('nginx', ['-e', join(folder, 'error.log'), '-c', join(folder, 'nginx.conf')]);
});
afterAll(async () => {
  for (const program of programs) program.kill();
  await service.stop();
  await lab.stop();
  await rm(folder, { recursive: true, force: true });
});

interface ProxyResponse {
  readonly status: number;
  readonly cookie: string;
  readonly body: string;
}

function requestOptions(port: number, path: string, method: string, headers: Readonly<Record<string, string>>) {
  return {
    host: '127.0.0.1',
    port,
    path,
    method,
    servername: host,
    ca: renewedCertificate.cert,
    agent: false,
    headers: { host: `${host}:${port}`, 'content-type': 'application/json', ...headers },
  };
}

function request(
  port: number,
  method: string,
  headers: Readonly<Record<string, string>> = {},
  body = '',
): Promise<ProxyResponse> {
  const options = requestOptions(port, '/session', method, headers);
  return new Promise((resolve, reject) => {
    const outgoing = https.request(options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => {
        const [cookie = ''] = response.headers['set-cookie'] ?? [];
        resolve({ status: response.statusCode ?? 0, cookie, body: text });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** Opens the stream of changes. @returns its response, and a function for all text that was received so far */
function openChanges(
  port: number,
  headers: Readonly<Record<string, string>>,
): Promise<{ readonly response: IncomingMessage; readonly text: () => string }> {
  return new Promise((resolve, reject) => {
    const outgoing = https.request(requestOptions(port, changesPath, 'GET', headers), (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      resolve({ response, text: () => text });
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

const describeCaller = async (port: number, headers: Readonly<Record<string, string>> = {}): Promise<SessionResponse> =>
  sessionResponse.parse(JSON.parse((await request(port, 'GET', headers)).body));

describe.each(['caddy', 'nginx'] as const)('behind %s', (proxy) => {
  it('users sign in and out, and requests of other sites and with forged headers are rejected', async () => {
    const port = ports[proxy];
    const origin = { origin: `https://${host}:${port}` };
    await expect
      .poll(() =>
        request(port, 'GET').then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(200);
    expect(await describeCaller(port)).toMatchObject({ user: null, no_sign_in: null });
    expect((await describeCaller(port, { 'remote-user': 'eve', 'remote-groups': 'staff' })).user).toBeNull();

    const credentials = JSON.stringify({ name: 'ann', password: 'a long password' });
    const evil = await request(port, 'POST', { origin: 'https://evil.example' }, credentials);
    expect(evil.status).toBe(403);
    const signedIn = await request(port, 'POST', origin, credentials);
    expect(signedIn.cookie).toMatch(/^__Host-lab-manager-\d+=\S+; .*HttpOnly; Secure; SameSite=Strict$/);
    const cookie = { ...origin, cookie: signedIn.cookie.split(';', 1)[0] ?? '' };
    const { user, csrf_token: token } = await describeCaller(port, cookie);
    expect(user).toMatchObject({ name: 'ann', role: 'operator', via: 'session' });

    expect((await request(port, 'DELETE', cookie)).status).toBe(403);
    expect((await request(port, 'DELETE', { ...cookie, [csrfHeader]: token ?? '' })).status).toBe(200);
    expect((await describeCaller(port, cookie)).user).toBeNull();
  });

  it('announcements of changes arrive one by one and uncompressed until the session ends', async () => {
    const port = ports[proxy];
    const origin = { origin: `https://${host}:${port}` };
    expect((await openChanges(port, origin)).response.statusCode).toBe(401);
    const credentials = JSON.stringify({ name: 'ann', password: 'a long password' });
    const signedIn = await request(port, 'POST', origin, credentials);
    const cookie = { ...origin, cookie: signedIn.cookie.split(';', 1)[0] ?? '' };
    const { response, text } = await openChanges(port, { ...cookie, 'accept-encoding': 'gzip, br' });
    expect([response.statusCode, response.headers['content-encoding']]).toEqual([200, undefined]);
    for (const count of [1, 2]) await expect.poll(() => text().match(/"getState"/g)?.length ?? 0).toBe(count);
    expect(response.complete).toBe(false);
    const { csrf_token: token } = await describeCaller(port, cookie);
    expect((await request(port, 'DELETE', { ...cookie, [csrfHeader]: token ?? '' })).status).toBe(200);
    await expect.poll(() => response.complete).toBe(true);
  });

  it('a client cannot choose the address that is logged', async () => {
    const wrongCredentials = JSON.stringify({ name: 'eve', password: 'a wrong password' });
    const forged = { 'x-forwarded-for': '10.0.0.9' };
    expect((await request(ports[proxy], 'POST', forged, wrongCredentials)).status).toBe(401);
    expect(service.log.filter((line) => line.includes('“eve” from 10.0.0.9'))).toEqual([]);
  });
});
