import { describe, expect, it } from 'vitest';
import { allowDashboardAccess } from './nodeCors.ts';

const dashboardOrigin = 'http://127.0.0.1:8000';
const allowed = { 'Access-Control-Allow-Origin': [dashboardOrigin] };
const json = { 'content-type': ['application/json'] };

describe('the response of a node to a safety stop', () => {
  it('may be read by the current dashboard only', () => {
    expect(allowDashboardAccess({ method: 'POST', headers: json, dashboardOrigin })).toEqual({ ...json, ...allowed });
  });

  it.each([
    ['a request that is not a command', { method: 'GET', headers: json, dashboardOrigin }],
    ['a missing dashboard', { method: 'POST', headers: json, dashboardOrigin: null }],
    [
      'a node with its own rule',
      { method: 'POST', headers: { 'access-control-allow-origin': ['*'] }, dashboardOrigin },
    ],
  ])('is not changed for %s', (_name, response) => {
    expect(allowDashboardAccess(response)).toEqual(response.headers);
  });
});
