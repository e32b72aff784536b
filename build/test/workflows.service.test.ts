import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';

const root = resolve(import.meta.dirname, '../..');

let folder = '';
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'workflows-'))));
afterEach(() => rmSync(folder, { recursive: true }));

function check(step: string, permission = 'contents: read') {
  const file = join(folder, 'ci.yml');
  const job = `jobs:\n  build:\n    runs-on: ubuntu-24.04\n    steps:\n      - ${step}\n`;
  writeFileSync(file, `on: push\npermissions:\n  ${permission}\n${job}`);
  const program = [join(root, 'node_modules/tsx/dist/cli.mjs'), 'build/test/workflows.ts', file];
  const { status, stdout, stderr } = spawnSync(process.execPath, program, { cwd: root, encoding: 'utf8' });
  return { status, output: (stdout + stderr).replaceAll(file, 'ci.yml') };
}

test('the packages of a release are built without the variables of secrets that are not set', () => {
  const { jobs } = parse(readFileSync(join(root, '.github/workflows/release.yml'), 'utf8')) as {
    jobs: { packages: { steps: readonly { run?: string; env?: Readonly<Record<string, string>> }[] } };
  };
  const step = jobs.packages.steps.find(({ run }) => run?.includes('npm run package'));
  const names = Object.entries(step?.env ?? {}).flatMap(([name, value]) => (value.includes('secrets.') ? name : []));
  expect(names).toContain('CSC_LINK');
  writeFileSync(join(folder, 'npm'), '#!/bin/sh\nenv\n', { mode: 0o755 });
  const secrets = Object.fromEntries(names.map((name) => [name, name === 'APPLE_ID' ? 'set' : '']));
  const env = { PATH: `${folder}:${process.env['PATH'] ?? ''}`, ...secrets };
  const { stdout } = spawnSync('bash', ['-e', '-c', step?.run ?? ''], { env, encoding: 'utf8' });
  const received = stdout.split('\n').map((line) => line.split('=')[0] ?? '');
  expect(received.filter((name) => names.includes(name))).toEqual(['APPLE_ID']);
});

test('the job for the apt repository of a release gets its packages and runs no npm next to the signing key', () => {
  const { jobs } = parse(readFileSync(join(root, '.github/workflows/release.yml'), 'utf8')) as {
    jobs: { apt: { needs: readonly string[]; steps: readonly { uses?: string; run?: string }[] } };
  };
  expect(jobs.apt.needs).toEqual(['packages', 'service']);
  expect(jobs.apt.steps.some(({ uses }) => uses?.startsWith('actions/download-artifact@'))).toBe(true);
  const commands = jobs.apt.steps.map(({ run }) => run ?? '').join('\n');
  expect(commands).toContain('node build/setup/packageApt.mjs built/*.deb');
  expect(commands).not.toMatch(/\bnpm\b|\bnpx\b/);
});

test('the check accepts a valid workflow', () => {
  expect(check('run: echo "${{ github.ref }}"')).toEqual({ status: 0, output: '' });
});

test.each([
  ['a misspelled key', ['rnu: npm test'], 8],
  ['an unknown permission', ['run: npm test', 'attestation: write'], 3],
  ['an unknown context in an expression', ['run: echo "${{ gitbub.ref }}"'], 8],
] as const)('%s is reported with its line', (_what, [step, permission], line) => {
  const { status, output } = check(step, permission);
  expect(status).toBe(1);
  expect(output).toMatch(new RegExp(`^ci\\.yml:${line}: `));
});
