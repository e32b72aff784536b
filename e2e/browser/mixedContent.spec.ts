/**
 * The dashboard behind a TLS proxy, with managers at http: the browser blocks requests to them, and the page reports
 * that.
 */
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { appTexts } from '../../dashboard/app/texts.ts';
import { expect, test } from '../support/browser/browserTest.ts';
import { selfSigned } from '../support/network/selfSigned.ts';
import { outsideAddress } from '../support/service.ts';

const outside = outsideAddress();

test.use({ ignoreHTTPSErrors: true });

test('a page opened by https first reports that it cannot reach managers over http', async ({
  page,
  lab,
  service,
  guard,
}) => {
  test.skip(outside === null, 'No address but loopback on this machine: browsers let a page ask that');
  guard.hosts.add(outside ?? '');
  guard.expected.push(/^console: Mixed Content/);
  const { settings, managers } = await lab({}, '0.0.0.0');
  const at = (host: string) => settings.replaceAll('127.0.0.1', host);
  const { port, url } = await service({
    files: { 'settings.yaml': `${at(outside ?? '')}\nlab_trusted_proxy: [127.0.0.1]\n` },
  });
  const proxy = https.createServer({ key: selfSigned.key, cert: selfSigned.cert }, (request, response) => {
    const headers = { ...request.headers, 'x-forwarded-for': '192.0.2.7', 'x-forwarded-proto': 'https' };
    const passed = http.request({ port, host: '127.0.0.1', path: request.url, method: request.method, headers });
    passed.on('response', (answer) => answer.pipe(response.writeHead(answer.statusCode ?? 502, answer.headers)));
    passed.on('error', () => response.destroy());
    request.pipe(passed);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  try {
    await page.goto(`https://localhost:${(proxy.address() as AddressInfo).port}/`);
    const notice = page.getByRole('alert').filter({ hasText: appTexts.mixedContent.title });
    await expect(notice).toContainText(appTexts.mixedContent.safetyStop);
    await expect(notice).toContainText('Event, Experiment, Resource, Data, Workcell, Location');
    // Above the page's first heading.
    const top = async (box: typeof notice) => (await box.boundingBox())?.y ?? Number.NaN;
    expect(await top(notice)).toBeLessThan(await top(page.getByRole('heading', { level: 1 })));
    expect(managers.workcell.fromPages).toBe(0);

    await page.goto(url);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(notice).toBeHidden();
    await expect.poll(() => managers.workcell.fromPages).toBeGreaterThan(0);
  } finally {
    proxy.closeAllConnections();
    proxy.close();
  }
});
