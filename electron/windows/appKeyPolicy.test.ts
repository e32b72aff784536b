import { describe, expect, it } from 'vitest';
import { appKeyHeader } from '../../api/lab/access.ts';
import { withAppKey } from './appKeyPolicy.ts';

const request = {
  url: 'http://127.0.0.1:8000/session',
  headers: { accept: 'application/json' },
  dashboardUrl: 'http://127.0.0.1:8000/',
  appKey: 'key',
  isPage: true,
};

describe('withAppKey', () => {
  it('adds the key to a request of the dashboard to its own service', () => {
    expect(withAppKey(request)).toEqual({ accept: 'application/json', [appKeyHeader]: 'key' });
  });

  it.each([
    ['another port of this machine, such as a manager', { url: 'http://127.0.0.1:8005/state' }],
    ['another name of this machine', { url: 'http://localhost:8000/session' }],
    ['another machine', { url: 'http://lab-pc:8000/session' }],
    ['another scheme', { url: 'https://127.0.0.1:8000/session' }],
    ['an address that only begins in the same way', { url: 'http://127.0.0.1:8000@lab-pc/session' }],
    ['an address without an origin', { url: 'data:text/plain,a' }],
    ['a frame in the page', { isPage: false }],
    ['a window without a dashboard', { dashboardUrl: null }],
    ['a window with the dashboard of another service', { appKey: null }],
  ])('removes the key from a request to or from %s', (_name, changes) => {
    for (const name of [appKeyHeader, appKeyHeader.toLowerCase()]) {
      const headers = { ...request.headers, [name]: 'key' };
      expect(withAppKey({ ...request, headers, ...changes })).toEqual(request.headers);
    }
  });
});
