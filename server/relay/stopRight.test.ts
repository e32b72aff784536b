// cspell:ignore fstop freset
import { describe, expect, it } from 'vitest';
import type { Role } from '../../api/lab/access.ts';
import type { Caller } from '../access/sender.ts';
import { findRoute } from './route.ts';
import { isPublicStop, isStopRequest, refuseNode, refuseStop, type StopSettings } from './stopRight.ts';

const settings: StopSettings = {
  remoteAccess: 'operate',
  remoteStop: 'users',
  corsAllowedOrigins: ['*'],
  serverUrl: 'https://lab.example:8000/',
  advertisedHost: null,
  allowedHosts: ['bench.example'],
};

function callerWith(role: Role): Caller {
  return { name: 'ann', role, via: 'session' };
}
const anonymous = { caller: null, expiredCaller: null, host: 'lab.example:8000', machine: 'lab-pc' };

describe('the safety stop through the relay', () => {
  it.each([
    ['an operator', { caller: callerWith('operator') }, {}, null],
    ['an administrator', { caller: callerWith('administrator') }, {}, null],
    ['an operator where commands are not relayed', { caller: callerWith('operator') }, { remoteAccess: 'view' }, null],
    ['an operator whose session has expired', { expiredCaller: callerWith('operator') }, {}, null],
    ['a viewer', { caller: callerWith('viewer') }, {}, 403],
    ['a client that is not signed in', {}, {}, 401],
    ['a viewer where everyone may', { caller: callerWith('viewer') }, { remoteStop: 'everyone' }, null],
    ['everyone', {}, { remoteStop: 'everyone' }, null],
    ['everyone where commands are not relayed', {}, { remoteStop: 'everyone', remoteAccess: 'view' }, null],
    ['everyone at an address', { host: '10.0.0.7:8000' }, { remoteStop: 'everyone' }, null],
    ['everyone at the name of the machine', { host: 'lab-pc.local:8000' }, { remoteStop: 'everyone' }, null],
    ['everyone at an allowed name', { host: 'bench.example' }, { remoteStop: 'everyone' }, null],
    ['a page that was rebound to this address', { host: 'evil.example:8000' }, { remoteStop: 'everyone' }, 403],
    ['a request without a Host', { host: undefined }, { remoteStop: 'everyone' }, 403],
    ['an operator, whose token proves the page', { caller: callerWith('operator'), host: 'any.example' }, {}, null],
    ['everyone while remote access is off', {}, { remoteStop: 'everyone', remoteAccess: 'off' }, 404],
    ['an operator while remote access is off', { caller: callerWith('operator') }, { remoteAccess: 'off' }, 404],
  ] as const)('of %s has the refusal status $3', (_who, sender, changes, status) => {
    expect(refuseStop({ ...settings, ...changes }, { ...anonymous, ...sender })?.status ?? null).toBe(status);
  });

  it.each([
    ['POST', 'workcell/admin/safety_stop/arm', true],
    ['POST', 'workcell/admin/lock/arm', true],
    ['POST', 'workcell/admin/pause/arm?x=1', true],
    ['POST', 'workcell/admin/cancel/arm%201', true],
    ['POST', 'workcell/admin/safety_stop', false],
    ['POST', 'workcell/admin/reset/arm', false],
    ['POST', 'workcell/admin/unlock/arm', false],
    ['POST', 'workcell/admin/resume/arm', false],
    ['POST', 'workcell/admin/shutdown/arm', false],
    ['POST', 'workcell/admin/safety%5fstop/arm', true],
    ['POST', 'workcell/admin/shutdown/safety_stop', false],
    ['POST', 'workcell/admin/safety_stop/arm/reset', false],
    ['POST', 'workcell/admin/safety_stop%2f..%2freset/arm', false],
    ['POST', 'workcell/workflow/1/cancel', false],
    ['POST', 'location/admin/safety_stop/arm', false],
    ['GET', 'workcell/admin/safety_stop/arm', false],
  ])('%s %s is a stop request: %s', (method, path, expected) => {
    expect(isStopRequest(method, `/managers/${path}`)).toBe(expected);
  });
});

describe('safety stops that only LAB_REMOTE_STOP=everyone permits', () => {
  function findStopRoute(path: string) {
    const result = findRoute('POST', `/managers/workcell/admin/${path}`);
    if (!result.ok) throw new Error(result.refusal.detail);
    return result.route;
  }

  it.each([
    ['a client that is not signed in', { caller: null, expiredCaller: null }, true],
    ['a viewer', { caller: callerWith('viewer'), expiredCaller: null }, true],
    ['an operator', { caller: callerWith('operator'), expiredCaller: null }, false],
    ['an operator whose session has expired', { caller: null, expiredCaller: callerWith('operator') }, false],
  ])('include one by %s: $2', (_who, sender, isPublic) => {
    expect(isPublicStop(findStopRoute('lock/arm'), sender)).toBe(isPublic);
    expect(isPublicStop(findStopRoute('reset/arm'), sender)).toBe(false);
  });

  it.each([
    ['a known node', 'arm', ['reader', 'arm'], null],
    ['a known node whose name is encoded', 'arm%201', ['arm 1'], null],
    ['an unknown node', 'ghost', ['reader', 'arm'], 404],
    ['a part of a name', 'ar', ['arm'], 404],
    ['any node while none is known', 'ghost', [], null],
  ])('have the refusal status $3 for %s', (_what, name, nodes, status) => {
    expect(refuseNode(findStopRoute(`safety_stop/${name}`), nodes)?.status ?? null).toBe(status);
  });
});
