/**
 * The image of the service without a window: what it contains, and how it runs without rights and with read-only files.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { packageContainer } from '../../build/package/container.mjs';
import { fetchText } from '../support/desktop/program.ts';
import { pickFreePort } from '../support/managers.ts';
import { repository } from '../support/service.ts';
import { Podman } from './podman.ts';

const archive = process.env['LAB_MANAGER_IMAGE'] ?? '';
/** The ID of the image's account. */
const account = 10001;

let podman: Podman;
beforeAll(() => void (podman = new Podman(archive)));
afterEach(() => podman.removeContainers());
afterAll(() => podman.stop());

/** Waits until the service in a container responds. @returns the body of its `/health` */
async function waitForResponse(name: string, port: number): Promise<string> {
  await expect
    .poll(() => fetchText(port, '/health').catch(() => null), { message: `no response\n${podman.log(name)}` })
    .toMatchObject({ body: expect.stringContaining('"healthy":true') });
  return (await fetchText(port, '/health'))?.body ?? '';
}

const address = (port: number) => `--env=LAB_SERVER_URL=http://127.0.0.1:${port}/`;

test('the image takes at most 60 MB and contains the service without a window, and no shell or set-uid programs', () => {
  expect(statSync(archive).size).toBeLessThan(60e6);
  const name = podman.run('create', podman.image).trim();
  const file = join(podman.folder, 'files.tar');
  podman.run('export', '--output', file, name);
  const lines = execFileSync('tar', ['--list', '--verbose', '--file', file], { encoding: 'utf8' }).trim().split('\n');
  const files = lines.map(
    (line) =>
      line
        .replace(/ (?:->|link to) .*/, '')
        .split(' ')
        .at(-1) ?? '',
  );
  expect(files).toEqual(
    expect.arrayContaining([
      'usr/bin/node',
      'usr/bin/lab-manager',
      'usr/lib/lab-manager/dist/licences.txt',
      'usr/share/doc/lab-manager/sbom.cdx.json',
      'usr/share/doc/node/copyright',
      'usr/share/doc/libc6/copyright',
    ]),
  );
  expect(files.filter((path) => /(^|\/)(ba|da)?sh$|busybox|dist\/(electron|shell)\/|node_modules/.test(path))).toEqual(
    [],
  );
  expect(lines.filter((line) => /^.{3}[sS]|^.{6}[sS]/.test(line))).toEqual([]);
});

test('the bill of materials of the image names Node and the Debian packages of its native files', () => {
  const name = podman.run('create', podman.image).trim();
  const file = join(podman.folder, 'sbom.json');
  podman.run('cp', `${name}:/usr/share/doc/lab-manager/sbom.cdx.json`, file);
  const { components } = JSON.parse(readFileSync(file, 'utf8')) as { components: { purl: string }[] };
  const purls = components.map(({ purl }) => purl);
  expect(purls).toContainEqual(expect.stringMatching(/^pkg:generic\/node@\d+\.\d+\.\d+\?/));
  expect(purls).toContainEqual(expect.stringMatching(/^pkg:npm\/express@/));
  const readVersion = (packageName: string) =>
    execFileSync('dpkg-query', ['--show', '--showformat', '${Version}', packageName], { encoding: 'utf8' });
  for (const packageName of ['ca-certificates', 'libc6', 'libgcc-s1', 'libstdc++6', 'util-linux']) {
    const id = `/${encodeURIComponent(packageName)}@${encodeURIComponent(readVersion(packageName))}?`;
    expect(purls.filter((purl) => purl.startsWith('pkg:deb/') && purl.includes(id))).toHaveLength(1);
  }
});

test('the image states its account, its volumes and its program', () => {
  expect(podman.inspect(podman.image, '.Config.User')).toBe('"10001:10001"');
  expect(JSON.parse(podman.inspect(podman.image, '.Config.Entrypoint'))).toEqual(['/usr/bin/lab-manager']);
  const volumes = Object.keys(JSON.parse(podman.inspect(podman.image, '.Config.Volumes')) as object);
  expect(volumes.toSorted()).toEqual(['/etc/lab-manager', '/var/lib/lab-manager']);
  const { version } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as { version: string };
  expect(podman.image).toBe(`localhost/lab-manager:${version}`);
  expect(podman.runToEnd([], ['--version'])).toMatchObject({ code: 0, out: `${version}\n` });
});

test('two builds of a commit are the same image', async () => {
  const secondBuild = await packageContainer(repository, join(podman.folder, 'again'));
  const manifest = (file: string) =>
    execFileSync('tar', ['--extract', '--to-stdout', '--file', file, 'index.json'], { encoding: 'utf8' });
  expect(manifest(secondBuild)).toBe(manifest(archive));
});

test('the service runs read-only without capabilities as an ordinary user and stops cleanly on SIGTERM', async () => {
  const port = await pickFreePort();
  podman.start('lab', [address(port)]);
  expect(JSON.parse(await waitForResponse('lab', port))).toMatchObject({ healthy: true });
  expect((await fetchText(port, '/'))?.type).toContain('text/html');
  const status = readFileSync(`/proc/${podman.inspect('lab', '.State.Pid')}/status`, 'utf8');
  expect(status).toMatch(new RegExp(`^Uid:\\t${account}\\t${account}\\t`, 'm'));
  expect(status).toMatch(/^CapBnd:\t0+$/m);
  expect(status).toMatch(/^NoNewPrivs:\t1$/m);
  expect(podman.log('lab')).not.toMatch(/EROFS|EACCES|\[error\]/);
  podman.run('stop', '--time', '10', 'lab');
  expect(podman.inspect('lab', '.State.ExitCode')).toBe('0');
  expect(podman.log('lab')).toContain('Stopping: SIGTERM');
});

test('the health check succeeds while the service responds, even if the lab is down', async () => {
  const port = await pickFreePort();
  podman.start('lab', [address(port), '--health-cmd=["/usr/bin/lab-manager", "--ping"]', '--health-interval=disable']);
  await waitForResponse('lab', port);
  expect(podman.attempt('healthcheck', 'run', 'lab')).toMatchObject({ code: 0 });
  expect(podman.attempt('exec', 'lab', 'lab-manager', '--status')).toMatchObject({ code: 1 });
  const unusedPort = await pickFreePort();
  const otherPort = podman.attempt('exec', 'lab', 'lab-manager', '--ping', '--lab-listen-port', String(unusedPort));
  expect(otherPort.code).toBe(1);
  expect(otherPort.out).toContain(`No lab manager responds at http://127.0.0.1:${unusedPort}/`);
});

test('settings come from the mounted folder, and a changed ConfigMap takes effect without a restart', async () => {
  const port = await pickFreePort();
  const settings = podman.createFolder('settings', account);
  // As Kubernetes mounts a ConfigMap: files are links into a folder that is replaced by a link as a whole.
  const write = (revision: string, name: string) => {
    mkdirSync(join(settings.path, revision));
    writeFileSync(
      join(settings.path, revision, 'lab.settings.yaml'),
      `lab_manager_name: ${name}\nlab_server_url: http://127.0.0.1:${port}/\n`,
    );
    symlinkSync(revision, join(settings.path, '..data_tmp'));
    renameSync(join(settings.path, '..data_tmp'), join(settings.path, '..data'));
  };
  write('..1', 'First name');
  symlinkSync('..data/lab.settings.yaml', join(settings.path, 'lab.settings.yaml'));
  settings.chown();
  podman.start('lab', [`--volume=${settings.path}:/etc/lab-manager:ro`]);
  await waitForResponse('lab', port);
  const readLabStatus = async () => (await fetchText(port, '/lab_health/history'))?.body;
  expect(await readLabStatus()).toContain('First name');
  write('..2', 'Second name');
  await expect.poll(readLabStatus).toContain('Second name');
});

test('an invalid setting ends the container with exit code 2 and the reason', () => {
  const settings = podman.createFolder('wrong', account);
  writeFileSync(join(settings.path, 'lab.settings.yaml'), 'lab_listen_port: many\n');
  const { code, out, err } = podman.runToEnd([`--volume=${settings.path}:/etc/lab-manager:ro`], []);
  expect(code).toBe(2);
  expect(out + err).toContain('/etc/lab-manager/lab.settings.yaml');
});

test('history and ID of the lab manager survive a new container on the same volume', async () => {
  const port = await pickFreePort();
  const startAndReadId = async () => {
    podman.start('lab', [address(port), '--volume=state:/var/lib/lab-manager']);
    await waitForResponse('lab', port);
    const state = podman.run('volume', 'inspect', '--format', '{{.Mountpoint}}', 'state').trim();
    await expect.poll(() => existsSync(join(state, `history-${port}.jsonl`))).toBe(true);
    const registry = join(state, '.madsci', 'registry.json');
    await expect.poll(() => existsSync(registry)).toBe(true);
    podman.run('stop', 'lab');
    podman.run('rm', 'lab');
    return /"id":\s*"([0-9A-Z]{26})"/.exec(readFileSync(registry, 'utf8'))?.[1];
  };
  const first = await startAndReadId();
  expect(first).toMatch(/^[0-9A-Z]{26}$/);
  expect(await startAndReadId()).toBe(first);
});

test('names are resolved by the hosts file', () => {
  const options = ['--add-host=lab-pc:203.0.113.7', '--entrypoint=/usr/bin/node'];
  const script = `require('node:dns').lookup('lab-pc', (error, address) => console.log(error?.code, address))`;
  expect(podman.runToEnd(options, ['--eval', script])).toMatchObject({ code: 0, out: 'undefined 203.0.113.7\n' });
});

test('times follow TZ, and a certificate authority of the lab is trusted', () => {
  const name = '/CN=Authority of the lab';
  const key = join(podman.folder, 'key.pem');
  const certificate = join(podman.folder, 'authority.pem');
  const request = ['req', '-x509', '-newkey', 'ed25519', '-nodes', '-subj', name, '-keyout', key, '-out', certificate];
  execFileSync('openssl', request, { stdio: 'pipe' });
  const script = `
    const authorities = require('node:tls').getCACertificates('default');
    const { X509Certificate } = require('node:crypto');
    console.log(new Date('2026-07-01T12:00:00Z').getHours());
    console.log(authorities.some((pem) => new X509Certificate(pem).subject === 'CN=Authority of the lab'));`;
  const options = [
    '--env=TZ=Asia/Tokyo',
    `--volume=${certificate}:/etc/ssl/certs/ca-certificates.crt:ro`,
    '--entrypoint=/usr/bin/node',
  ];
  expect(podman.runToEnd(options, ['--eval', script])).toMatchObject({ code: 0, out: '21\ntrue\n' });
});
