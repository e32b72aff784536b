/**
 * The dashboard behind a TLS proxy, with managers at http, to which the browser blocks direct requests.
 */
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { mixedContentFailure } from '../../api/client/connection.ts';
import { appTexts } from '../../dashboard/app/texts.ts';
import { expect, test } from '../support/browser/browserTest.ts';
import { selfSignedCertificate } from '../support/network/selfSigned.ts';
import { findOutsideAddress, type ServiceOptions } from '../support/service.ts';

const outside = findOutsideAddress();

test.use({ ignoreHTTPSErrors: true });

test('a page opened over https reports above its heading that it cannot reach managers over http', async ({
  page,
  lab,
  service,
  guard,
}) => {
  test.skip(outside === null, 'No address but loopback on this machine: browsers allow pages to request it');
  guard.hosts.add(outside ?? '');
  guard.expected.push(/^console: Mixed Content/);
  const { settings, managers } = await lab({}, '0.0.0.0');
  const { port, url } = await service(behindProxy(settings));
  const proxy = await startTlsProxy(port, () => ({ 'x-forwarded-for': '192.0.2.7' }));
  try {
    await page.goto(proxy.url);
    const notice = page.getByRole('alert').filter({ hasText: 'This page cannot reach the managers' });
    await expect(notice).toContainText(appTexts.mixedContent.safetyStop);
    await expect(notice).toContainText('Event, Experiment, Resource, Data, Workcell, Location');
    // Above the page's first heading.
    const top = async (box: typeof notice) => (await box.boundingBox())?.y ?? Number.NaN;
    expect(await top(notice)).toBeLessThan(await top(page.getByRole('heading', { level: 1 })));
    expect(managers.workcell.crossOriginRequests).toBe(0);

    await page.goto(url);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(notice).toBeHidden();
    await expect.poll(() => managers.workcell.crossOriginRequests).toBeGreaterThan(0);
  } finally {
    proxy.stop();
  }
});

test('behind a proxy that signs users in, the page reaches the managers through the lab manager and shows no warning', async ({
  page,
  lab,
  service,
}) => {
  test.skip(outside === null, 'No address but loopback on this machine: browsers allow pages to request it');
  const { settings, managers } = await lab({}, '0.0.0.0');
  const { port } = await service(
    behindProxy(settings, 'lab_remote_access: operate', "lab_proxy_roles: ['*=operator']"),
  );
  // As oauth2-proxy: requests without its cookie are redirected to the sign-in of another origin.
  const proxy = await startTlsProxy(port, ({ headers }) =>
    headers.cookie?.includes('signed_in=ann') === true
      ? { 'x-forwarded-for': '192.0.2.7', 'remote-user': 'ann' }
      : null,
  );
  try {
    await page.context().addCookies([{ name: 'signed_in', value: 'ann', url: proxy.url }]);
    const relayed = page.waitForResponse((response) => response.url().includes('/managers/workcell/state'));
    await page.goto(proxy.url);
    expect((await relayed).status()).toBe(200);
    await expect(page.getByText(/^updated/).filter({ visible: true })).toHaveCount(1);
    await expect(page.getByRole('alert').filter({ hasText: 'This page cannot reach the managers' })).toBeHidden();
    await expect(page.getByRole('alert').filter({ hasText: appTexts.needsSignIn.title })).toBeHidden();
    expect(managers.workcell.crossOriginRequests).toBe(0);
  } finally {
    proxy.stop();
  }
});

test('a page opened over https without a sign-in offers to sign in, and sends no request that the browser blocks', async ({
  page,
  lab,
  service,
  guard,
}) => {
  test.skip(outside === null, 'No address but loopback on this machine: browsers allow pages to request it');
  const { settings, managers } = await lab({}, '0.0.0.0');
  const { port } = await service(behindProxy(settings, 'lab_remote_access: operate'));
  const proxy = await startTlsProxy(port, () => ({ 'x-forwarded-for': '192.0.2.7' }));
  try {
    await page.goto(`${proxy.url}workcells`);
    await expect(page.getByRole('alert').filter({ hasText: appTexts.needsSignIn.title })).toBeVisible();
    await expect(page.getByText(mixedContentFailure.reason)).toBeVisible();
    await page.goto(`${proxy.url}lab`);
    await expect(page.getByText(mixedContentFailure.reason).first()).toBeVisible();
    await page.goto(`${proxy.url}resources`);
    await expect(page.getByText(mixedContentFailure.reason)).toBeVisible();
    expect(guard.requests.filter((url) => url.startsWith(`http://${outside}`))).toEqual([]);
    expect(managers.workcell.crossOriginRequests).toBe(0);
  } finally {
    proxy.stop();
  }
});

/** Returns the options of a service behind a proxy, with the managers at this machine's address on a network. */
function behindProxy(managers: string, ...extraLines: readonly string[]): ServiceOptions {
  const lines = [managers.replaceAll('127.0.0.1', outside ?? ''), 'lab_trusted_proxy: [127.0.0.1]', ...extraLines, ''];
  return { files: { 'settings.yaml': lines.join('\n') } };
}

/**
 * Starts a proxy with TLS in front of the service.
 * @param getHeaders the headers that the proxy adds; `null`: it redirects the request to its sign-in
 */
async function startTlsProxy(
  port: number,
  getHeaders: (request: http.IncomingMessage) => http.OutgoingHttpHeaders | null,
): Promise<{ readonly url: string; stop(): void }> {
  const proxy = https.createServer(
    { key: selfSignedCertificate.key, cert: selfSignedCertificate.cert },
    (request, response) => {
      const added = getHeaders(request);
      if (added === null) return void response.writeHead(302, { location: 'https://sign-in.invalid/' }).end();
      const headers = { ...request.headers, 'x-forwarded-proto': 'https', ...added };
      const forwarded = http.request({ port, host: '127.0.0.1', path: request.url, method: request.method, headers });
      forwarded.on('response', (upstream) =>
        upstream.pipe(response.writeHead(upstream.statusCode ?? 502, upstream.headers)),
      );
      forwarded.on('error', () => response.destroy());
      response.on('close', () => forwarded.destroy());
      request.pipe(forwarded);
    },
  );
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    url: `https://localhost:${(proxy.address() as AddressInfo).port}/`,
    stop: () => {
      proxy.closeAllConnections();
      proxy.close();
    },
  };
}
