import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { labEndpoints } from '../../api/lab/labDocs.ts';
import { EnteredAddressError, findLabManager } from './findLabManager.ts';

describe('findLabManager', () => {
  let server: http.Server | null = null;
  afterEach(() => server?.close());

  async function serve(bodies: Readonly<Record<string, unknown>>): Promise<string> {
    server = http.createServer((request, response) => {
      const body = bodies[request.url ?? ''];
      response.writeHead(body === undefined ? 404 : 200).end(JSON.stringify(body ?? {}));
    });
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    return `127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  it('returns the lab and its machine', async () => {
    const context = { ...labEndpoints[0].example, location_server_url: null };
    const host = await serve({ '/context': context, '/settings': { settings: { manager_name: 'Other Lab' } } });
    const expected = { url: `http://${host}/`, machine: host, labName: 'Other Lab', managers: 5, isIdentified: false };
    expect(await findLabManager(host)).toEqual(expected);
  });

  it('throws the reason when there is no lab manager or the address is invalid', async () => {
    const host = await serve({});
    const reason = `The lab manager at http://${host}/ can't be used: /context: HTTP 404.`;
    await expect(findLabManager(host)).rejects.toThrow(new EnteredAddressError(reason));
    await expect(findLabManager('http://')).rejects.toThrow(
      new EnteredAddressError('The text entered is not an address.'),
    );
    await expect(findLabManager('http://ann:hunter2@127.0.0.1:1')).rejects.toThrow(
      /^The text entered has a user or password/,
    );
  });
});
