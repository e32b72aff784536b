/** The files with which the image is deployed: Docker Compose on a bench, Kubernetes on servers. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { unzipSync } from 'fflate';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { fetchText } from '../support/desktop/program.ts';
import { pickFreePort } from '../support/managers.ts';
import { repository } from '../support/service.ts';
import { mountAsKubelet, type PodGroup } from './kubelet.ts';
import { Podman } from './podman.ts';

const resources = join(repository, 'resources', 'container');
/** The archive of the schemas; empty if PyPI is unreachable. */
const schemaArchive = process.env['LAB_MANAGER_KUBERNETES_SCHEMAS'] ?? '';

let podman: Podman;
beforeAll(() => void (podman = new Podman(process.env['LAB_MANAGER_IMAGE'] ?? '')));
afterEach(() => podman.removeContainers());
afterAll(() => podman.stop());

describe('compose.yaml', () => {
  const composeService = z.object({
    image: z.string(),
    command: z.union([z.string(), z.array(z.string())]),
    network_mode: z.literal('host'),
    user: z.string(),
    working_dir: z.string(),
    environment: z.record(z.string(), z.string()),
    volumes: z.array(z.union([z.string(), z.object({ source: z.string(), target: z.string() }).loose()])),
    read_only: z.literal(true),
    cap_drop: z.array(z.string()),
    security_opt: z.array(z.string()),
    healthcheck: z.object({ test: z.array(z.string()) }),
  });

  /** Returns the service of the example lab as Docker Compose merges it from the lab's file and this project's file. */
  function readMergedService(lab: string): z.infer<typeof composeService> {
    const files = ['--file', 'compose.yaml', '--file', 'lab-manager.compose.yaml'];
    const text = execFileSync('docker-compose', [...files, 'config'], { cwd: lab, encoding: 'utf8', stdio: 'pipe' });
    return composeService.parse(
      z.object({ services: z.object({ lab_manager: z.unknown() }) }).parse(parse(text)).services.lab_manager,
    );
  }

  test('replaces the lab manager of the example lab and keeps its settings files and its registry', async () => {
    const port = await pickFreePort();
    const owner = podman.createFolder('madsci', 1000);
    const lab = join(owner.path, 'examples', 'example_lab');
    for (const folder of [lab, join(owner.path, '.madsci')]) mkdirSync(folder, { recursive: true });
    copyFileSync(join(import.meta.dirname, 'fixtures', 'example-lab.compose.yaml'), join(lab, 'compose.yaml'));
    copyFileSync(join(resources, 'compose.yaml'), join(lab, 'lab-manager.compose.yaml'));
    writeFileSync(join(lab, 'settings.yaml'), 'lab_manager_name: "Example Lab"\nlab_server_url: http://localhost:1/\n');
    // The registry of the example lab is two folders above; by default it is beside the file.
    writeFileSync(join(lab, '.env'), `LAB_SERVER_URL=http://localhost:${port}/\nMADSCI_DIR=../../.madsci\n`);
    owner.chown();

    const service = readMergedService(lab);
    expect(service.healthcheck.test).toEqual(['CMD', '/usr/bin/lab-manager', '--ping']);
    const volumes = service.volumes.map((volume) =>
      typeof volume === 'string'
        ? volume
        : `${volume.source}:${volume.target}${volume['read_only'] === true ? ':ro' : ''}`,
    );
    expect(volumes).toContain(`${lab}:/home/madsci/example_lab:ro`);
    podman.run(
      'run',
      '--detach',
      '--name=lab_manager',
      '--read-only',
      `--user=${service.user}`,
      `--workdir=${service.working_dir}`,
      `--health-cmd=${JSON.stringify(service.healthcheck.test.slice(1))}`,
      '--health-interval=disable',
      ...service.cap_drop.map((capability) => `--cap-drop=${capability}`),
      ...service.security_opt.map((option) => `--security-opt=${option}`),
      ...Object.entries(service.environment).map(([name, value]) => `--env=${name}=${value}`),
      ...volumes.map((volume) => `--volume=${volume}`),
      service.image,
      ...[service.command].flat(),
    );
    await expect
      .poll(() =>
        fetchText(port, '/lab_health/history')
          .then((result) => result?.body)
          .catch(() => podman.log('lab_manager')),
      )
      .toContain('Example Lab');
    expect(podman.attempt('healthcheck', 'run', 'lab_manager')).toMatchObject({ code: 0 });
    await expect.poll(() => existsSync(join(owner.path, '.madsci', 'registry.json'))).toBe(true);
    expect(existsSync(join(owner.path, '.madsci', 'lab-manager', `history-${port}.jsonl`))).toBe(true);
    expect(podman.log('lab_manager')).not.toMatch(/EROFS|EACCES|\[error\]/);
  });

  test('starts the image that this version builds, with the registry next to the file', () => {
    const { services } = z
      .object({ services: z.object({ lab_manager: composeService.pick({ image: true, volumes: true }) }) })
      .parse(parse(readFileSync(join(resources, 'compose.yaml'), 'utf8')));
    expect(services.lab_manager.image).toBe(podman.image);
    expect(services.lab_manager.volumes).toContain('${MADSCI_DIR:-./.madsci}:/home/madsci/.madsci');
  });
});

describe('kubernetes.yaml', () => {
  const object = z.object({ apiVersion: z.string(), kind: z.string() }).loose();
  type KubernetesObject = z.infer<typeof object>;
  const objects = parseAllDocuments(readFileSync(join(resources, 'kubernetes.yaml'), 'utf8')).map((document) =>
    object.parse(document.toJS()),
  );
  const findByKind = (kind: string) => objects.find((candidate) => candidate.kind === kind);

  /** Returns the errors that the schemas of Kubernetes report for the objects. */
  function findSchemaErrors(version: string, documents: readonly KubernetesObject[]): string[] {
    const folder = `kubernetes_validate/kubernetes-json-schema/v${version}-local-strict`;
    const names = documents.map(({ apiVersion, kind }) => {
      const group = apiVersion.split('/').at(-2)?.replace(/\..*/, '');
      return [kind.toLowerCase(), ...(group === undefined ? [] : [group]), apiVersion.split('/').at(-1)].join('-');
    });
    const paths = new Set(['_definitions', ...names].map((name) => `${folder}/${name}.json`));
    const files = unzipSync(readFileSync(schemaArchive), { filter: ({ name }) => paths.has(name) });
    const schema = (name: string): object => {
      const bytes = files[`${folder}/${name}.json`];
      if (!bytes) throw new Error(`There is no schema of ${name} for Kubernetes ${version}`);
      return z.looseObject({}).parse(JSON.parse(Buffer.from(bytes).toString('utf8')));
    };
    // The formats of the schemas (int32, date-time) are ranges that the API server checks.
    const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
    ajv.addSchema(schema('_definitions'), '/api/_definitions.json');
    return documents.flatMap((document, index) => {
      const validate = ajv.compile(schema(names[index] ?? ''));
      const isValid: boolean = validate(document);
      return isValid ? [] : [`${document.kind}: ${ajv.errorsText(validate.errors)}`];
    });
  }

  describe.skipIf(schemaArchive === '')('checked with the schemas of Kubernetes', () => {
    test.each(['1.30.0', '1.37.0'])('every object is valid for Kubernetes %s', (version) => {
      expect(objects.map(({ kind }) => kind).toSorted()).toEqual([
        'ConfigMap',
        'Deployment',
        'NetworkPolicy',
        'PersistentVolumeClaim',
        'Service',
      ]);
      expect(findSchemaErrors(version, objects)).toEqual([]);
    });

    test('the schemas refuse a misspelled field', () => {
      const service = findByKind('Service');
      if (!service) throw new Error('There is no Service');
      expect(findSchemaErrors('1.37.0', [{ ...service, spce: {} }])).toEqual([expect.stringContaining('additional')]);
    });
  });

  test('the settings of the ConfigMap are valid', () => {
    const { data } = z.object({ data: z.record(z.string(), z.string()) }).parse(findByKind('ConfigMap'));
    const settings = podman.createFolder('config-map', 10001);
    for (const [name, text] of Object.entries(data)) writeFileSync(join(settings.path, name), text);
    settings.chown();
    const checked = podman.runToEnd([`--volume=${settings.path}:/etc/lab-manager:ro`], ['--check-settings']);
    expect(checked).toMatchObject({ code: 0, err: '' });
    expect(checked.out).toContain('http://workcell-manager:8005/');
  });

  const pod = z.object({
    securityContext: z
      .object({
        runAsUser: z.number(),
        runAsGroup: z.number(),
        fsGroup: z.number(),
        fsGroupChangePolicy: z.enum(['Always', 'OnRootMismatch']),
      })
      .loose(),
    containers: z.tuple([z.object({ volumeMounts: z.array(z.object({ mountPath: z.string() })) }).loose()]),
  });
  const findPod = (deployment: unknown) =>
    z.object({ spec: z.object({ template: z.object({ spec: pod }) }) }).parse(deployment).spec.template.spec;

  test('the pod runs as the account of the image, and mounts its two volumes', () => {
    const { securityContext, containers } = findPod(findByKind('Deployment'));
    const { runAsUser, runAsGroup, fsGroup } = securityContext;
    expect(`"${runAsUser}:${runAsGroup}"`).toBe(podman.inspect(podman.image, '.Config.User'));
    expect(fsGroup).toBe(runAsGroup);
    const volumes = Object.keys(JSON.parse(podman.inspect(podman.image, '.Config.Volumes')) as object);
    expect(containers[0].volumeMounts.map(({ mountPath }) => mountPath)).toEqual(volumes.toSorted());
  });

  describe('the state volume, which kubelet assigns to the group of the pod', () => {
    /**
     * Starts two pods on one new volume, one after the other. The first creates a token.
     * @returns the port of the second pod, the mode of its users file, and a function that sends a request with the token
     * and returns the status
     */
    async function restartPod(
      group: PodGroup,
    ): Promise<{ port: number; usersMode: string; requestStatus(): Promise<number> }> {
      const port = await pickFreePort();
      const { path } = podman.createFolder(`state-${group.fsGroupChangePolicy}`, 0);
      const startPod = async () => {
        mountAsKubelet(path, group);
        const settings = [`--env=LAB_SERVER_URL=http://127.0.0.1:${port}/`, '--env=LAB_REMOTE_ACCESS=view'];
        podman.start('pod', [...settings, `--volume=${path}:/var/lib/lab-manager`]);
        await expect.poll(() => fetchText(port, '/health').catch(() => podman.log('pod'))).toHaveProperty('body');
      };
      await startPod();
      const created = podman.run('exec', 'pod', 'lab-manager', '--token', 'create', 'robot', '--role', 'viewer');
      const [token = ''] = created.split('\n');
      const headers = { authorization: `Bearer ${token}` };
      const unknownEndpoint = `http://127.0.0.1:${port}/managers/workcell/no-such-endpoint`;
      const requestStatus = async () => (await fetch(unknownEndpoint, { headers })).status;
      await expect.poll(requestStatus).toBe(404);
      podman.run('stop', 'pod');
      podman.run('rm', 'pod');
      await startPod();
      const users = statSync(join(path, `users-${port}.json`));
      return { port, usersMode: (users.mode & 0o777).toString(8), requestStatus };
    }

    test('keeps the users and tokens of the lab when its pod is replaced', async () => {
      const { usersMode, requestStatus } = await restartPod(findPod(findByKind('Deployment')).securityContext);
      expect(usersMode).toBe('600');
      await expect.poll(requestStatus).toBe(404);
      expect(podman.log('pod')).not.toMatch(/can't be read|EACCES|\[error\]/);
    });

    test('has a users file that is refused while the group may write to it, until the guide’s command restricts it', async () => {
      const { securityContext } = findPod(findByKind('Deployment'));
      const { port, usersMode, requestStatus } = await restartPod({
        ...securityContext,
        fsGroupChangePolicy: 'Always',
      });
      expect(usersMode).toBe('660');
      await expect.poll(() => podman.log('pod')).toContain('other accounts may write to it');
      expect(await requestStatus()).toBe(401);
      const guide = readFileSync(join(repository, 'docs/guide/headless.md'), 'utf8').replaceAll('8000', String(port));
      const [, program = '', script = ''] = /^kubectl exec \S+ -- (\S+) -e "(.*chmodSync.*)"$/m.exec(guide) ?? [];
      podman.run('exec', 'pod', program, '-e', script);
      await expect.poll(requestStatus).toBe(404);
    });
  });
});
