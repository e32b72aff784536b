import { describe, expect, it } from 'vitest';
import {
  describeChanges,
  makeLabBadge,
  makeProblemsBadge,
  makeTitleBadge,
  managerReason,
  managerReasonText,
} from './labBadge.ts';
import { sampleLabStatus } from '../../fixtures/sampleLabStatus.ts';
import { labBadgeTexts } from './texts.ts';

const refused = { state: 'unreachable', reason: 'Failed to connect: connection refused (127.0.0.1:8003)' } as const;

describe('makeLabBadge', () => {
  it.each([
    ['healthy', sampleLabStatus('healthy'), 'Healthy 6/6', 'check'],
    ['degraded', sampleLabStatus('degraded', { resource: refused }), 'Degraded 5/6', 'triangle'],
    ['starting', sampleLabStatus('starting', {}, ['event']), 'Starting 1/1', 'hollow'],
    ['unknown', sampleLabStatus('unknown'), 'Unknown', 'dashed'],
    ['a lab without configured managers', sampleLabStatus('unknown', {}, []), 'No managers', 'dashed'],
  ])('shows %s', (_name, status, text, shape) => {
    expect(makeLabBadge(status, false)).toMatchObject({ text, appearance: { shape } });
  });

  it('does not call the lab healthy while a node cannot work', () => {
    const node = { name: 'arm', state: 'errored' as const, reason: null, since: '2026-11-28T14:00:00.000Z' };
    const activity = { nodes: { total: 2, in_need: [node] }, ended_workflows: [] };
    const status = { ...sampleLabStatus('healthy'), activity };
    const texts = [makeLabBadge(status, false), makeProblemsBadge(status, false), makeTitleBadge(status, false)];
    expect(texts.map((badge) => badge?.text)).toEqual(['Managers 6/6', '1 problem', '1 problem']);
    expect(makeProblemsBadge(status, true)).toBe(null);
    // The badge of the managers counts these.
    expect(makeProblemsBadge(sampleLabStatus('degraded', { resource: refused }), false)).toBe(null);
    expect(makeTitleBadge(sampleLabStatus('healthy'), false).text).toBe('Healthy 6/6');
    const stop = { id: 'stop', at: null, machine: null, application: null, nodes: [] };
    expect(makeTitleBadge(status, false, stop).text).toBe('Stopped');
  });

  it('shows no state without a current response', () => {
    expect(makeLabBadge(sampleLabStatus('healthy'), true)).toMatchObject({
      text: labBadgeTexts.noAnswer,
      appearance: { color: 'gone' },
    });
    expect(makeLabBadge(undefined, false).text).toBe('Connecting');
  });
});

describe('the reason of a manager’s state', () => {
  it.each([
    [refused.reason, 'connection refused (127.0.0.1:8003)'],
    ['HTTP 503', 'HTTP 503'],
    ['Database is gone. ', 'Database is gone'],
    [null, ''],
  ])('is shortened from “%s” to “%s”', (reason, expected) => {
    expect(managerReasonText(reason)).toBe(expected);
  });

  it('compares a slow response time with the usual one', () => {
    const slow = sampleLabStatus('healthy', { data: { state: 'slow', latency_ms: 1912, reason: 'answers in 1.9 s' } });
    expect(managerReason(slow.managers[3]!, (ms) => `${ms}`)).toBe('answers in 1912, usually 5');
  });
});

describe('describeChanges', () => {
  it('describes the changes, and returns an empty text if there are none', () => {
    const healthyLab = sampleLabStatus('healthy');
    const after = sampleLabStatus('degraded', { resource: refused });
    expect(describeChanges(undefined, after)).toBe('');
    expect(describeChanges(healthyLab, healthyLab)).toBe('');
    expect(describeChanges(healthyLab, after)).toBe(
      'Resource Manager unreachable: connection refused (127.0.0.1:8003). Lab: Degraded 5/6.',
    );
    expect(describeChanges(after, healthyLab)).toBe('Resource Manager healthy. Lab: Healthy 6/6.');
  });
});
