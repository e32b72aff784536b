/** Tests the user guide at `/help/`. */
import { afterEach, describe, expect, it } from 'vitest';
import { sendRequest } from '#e2e/support/rawRequest.ts';
import { smallGuide, startService, type ServiceOptions, type TestService } from '#e2e/support/service.ts';
import { guidePolicy } from '../headers.ts';

const disabledManagers = Object.fromEntries(
  ['EVENT', 'EXPERIMENT', 'RESOURCE', 'DATA', 'WORKCELL', 'LOCATION'].map((name) => [`${name}_SERVER_URL`, 'None']),
);
let service: TestService | null = null;
afterEach(async () => {
  await service?.stop();
  service = null;
});
async function start(options: ServiceOptions = {}): Promise<number> {
  service = await startService({ ...options, env: { ...disabledManagers, ...options.env } });
  return service.port;
}

describe('the user guide', () => {
  it('is served with its own content security policy, and revalidated by clients', async () => {
    const port = await start();
    for (const path of ['/help/', '/help/index.html']) {
      const response = await sendRequest(port, path);
      expect([response.status, response.body]).toEqual([200, smallGuide['index.html']]);
      expect(response.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': guidePolicy,
        'cache-control': 'no-cache',
        'x-content-type-options': 'nosniff',
      });
    }
    const moved = await sendRequest(port, '/help');
    expect([moved.status, moved.headers['location']]).toEqual([302, './help/']);
  });

  it.each(['/help/nothing.html', '/help/nothing', '/help/..%2findex.html', '/help/.hidden'])(
    'does not include %s, which is not a dashboard page either',
    async (path) => {
      const response = await sendRequest(await start(), path, { headers: { accept: 'text/html' } });
      expect(response.status).toBe(404);
    },
  );

  it('rejects methods other than GET and HEAD', async () => {
    const response = await sendRequest(await start(), '/help/', { method: 'POST' });
    expect([response.status, response.headers['allow']]).toEqual([405, 'GET, HEAD']);
  });

  it('is replaced by a custom dashboard and absent without a dashboard', async () => {
    const port = await start({
      files: { 'ui/index.html': 'theirs', 'settings.yaml': 'lab_dashboard_files_path: ./ui\n' },
    });
    const response = await sendRequest(port, '/help/', { headers: { accept: 'text/html' } });
    expect([response.status, response.body]).toEqual([200, 'theirs']);
    await service?.stop();
    const without = await start({ env: { LAB_DASHBOARD_FILES_PATH: 'None' } });
    expect((await sendRequest(without, '/help/')).status).toBe(404);
  });
});
