import { describe, expect, it } from 'vitest';
import { readableForDashboard } from './nodeAnswers.ts';

const dashboardOrigin = 'http://127.0.0.1:8000';
const allowed = { 'Access-Control-Allow-Origin': [dashboardOrigin] };
const json = { 'content-type': ['application/json'] };

describe('a node’s answer to a safety stop', () => {
  it('may be read by the dashboard in use, and by nobody else', () => {
    expect(readableForDashboard({ method: 'POST', headers: json, dashboardOrigin })).toEqual({ ...json, ...allowed });
  });

  it.each([
    ['what isn’t a command', { method: 'GET', headers: json, dashboardOrigin }],
    ['before there is a dashboard', { method: 'POST', headers: json, dashboardOrigin: null }],
    [
      'of a node that has a rule of its own',
      { method: 'POST', headers: { 'access-control-allow-origin': ['*'] }, dashboardOrigin },
    ],
  ])('stays as it is: %s', (_name, answer) => {
    expect(readableForDashboard(answer)).toEqual(answer.headers);
  });
});
