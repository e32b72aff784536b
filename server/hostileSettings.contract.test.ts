/**
 * Malicious settings files, before the start and while the service runs: each ends in a message, and the service keeps
 * running.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { sendRequest } from '../e2e/support/rawRequest.ts';
import { makeService, type TestService } from '../e2e/support/service.ts';

let service: TestService;
afterEach(() => service.stop());

const hostileFiles: readonly (readonly [name: string, file: string, text: string])[] = [
  ['a list that contains itself', 'lab.settings.yaml', 'lab_manager_name: &a [*a]\n'],
  ['nested YAML', 'lab.settings.yaml', `a: ${'['.repeat(200_000)}`],
  ['nested JSON', 'lab.settings.json', `{"a":${'['.repeat(3000)}${']'.repeat(3000)}}`],
  ['nested TOML', 'lab.settings.toml', `a = ${'['.repeat(200_000)}`],
  ['a large file', 'lab.env', 'A=1\n'.repeat(1_000_000)],
];

describe.each(hostileFiles)('hostile settings: %s', (_name, file, text) => {
  it('prevent the start with an error that names the file, and the service starts after a correction', async () => {
    service = await makeService({ files: { [file]: text } });
    expect(await service.manager.start()).toMatchObject({
      phase: 'settings-error',
      problems: [{ path: expect.stringContaining(file) }],
    });
    await service.write({ [file]: file.endsWith('json') ? '{}' : '' });
    await service.waitForStatus(({ phase }) => phase === 'running');
  });

  it('are rejected while the service runs: the previous settings stay, and the problem is reported', async () => {
    service = await makeService({ files: { 'settings.yaml': 'lab_manager_name: Bench 4\n' } });
    await service.manager.start();
    await service.write({ [file]: text });
    const status = await service.waitForStatus(
      (candidate) => candidate.phase === 'running' && candidate.problems.length > 0,
    );
    expect(status).toMatchObject({ problems: [{ path: expect.stringContaining(file) }] });
    expect((await sendRequest(service.port, '/settings')).body).toContain('Bench 4');
  });
});
