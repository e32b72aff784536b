import { describe, expect, it } from 'vitest';
import { listNeeds, managerReasonText } from '#api/lab/needs.ts';
import { describeChanges, makeLabBadge, makeNeedsBadge, makeTitleBadge, managerReason } from './labBadge.ts';
import { sampleLabStatus } from '../../fixtures/sampleLabStatus.ts';
import { labBadgeTexts } from './texts.ts';

const refused = { state: 'unreachable', reason: 'Failed to connect: connection refused (127.0.0.1:8003)' } as const;

describe('makeLabBadge', () => {
  it.each([
    ['healthy', sampleLabStatus('healthy'), 'Managers 6/6', 'check'],
    ['degraded', sampleLabStatus('degraded', { resource: refused }), 'Managers 5/6', 'triangle'],
    ['starting', sampleLabStatus('starting', {}, ['event']), 'Starting 1/1', 'hollow'],
    ['unknown', sampleLabStatus('unknown'), 'Unknown', 'dashed'],
    ['a lab without configured managers', sampleLabStatus('unknown', {}, []), 'No managers', 'dashed'],
  ])('shows %s', (_name, status, text, shape) => {
    expect(makeLabBadge(status, false, null, false)).toMatchObject({ text, appearance: { shape } });
  });

  it('shows what needs a person besides the managers, and in the title', () => {
    const node = { name: 'arm', state: 'errored' as const, reason: null, since: '2026-11-28T14:00:00.000Z' };
    const activity = { nodes: { total: 2, in_need: [node] }, ended_workflows: [] };
    const status = { ...sampleLabStatus('healthy'), activity };
    const needs = listNeeds(status);
    const badge = { text: '1 needs you', appearance: { shape: 'square', color: 'failed' } };
    expect(makeNeedsBadge(needs)).toMatchObject(badge);
    expect(makeTitleBadge(status, false, null, needs)).toMatchObject(badge);
    // Healthy managers are not shown in green while the lab needs a person.
    expect(makeLabBadge(status, false, null, true)).toMatchObject({
      text: 'Managers 6/6',
      appearance: { shape: 'check', color: 'waiting' },
    });
    const stop = { id: 'stop', at: null, machine: null, application: null, nodes: [] };
    expect(makeTitleBadge(status, false, stop, needs).text).toBe('Stopped');
    const refusing = {
      ...stop,
      nodes: [
        {
          name: 'arm',
          workcell: 'http://cell:8005/',
          result: 'failed' as const,
          reason: 'refused',
          did: [],
          before: [],
        },
      ],
    };
    expect(makeTitleBadge(status, false, refusing, needs).text).toBe('Stop not confirmed');
    expect(makeTitleBadge(status, true, null, needs).text).toBe(labBadgeTexts.noAnswer);
    expect(makeNeedsBadge([])).toBe(null);
    const unreachable = {
      nodes: { total: 2, in_need: [{ ...node, state: 'disconnected' as const }] },
      ended_workflows: [],
    };
    expect(makeNeedsBadge(listNeeds({ ...status, activity: unreachable }))?.appearance.color).toBe('attention');
    expect(makeTitleBadge(sampleLabStatus('healthy'), false, null, []).text).toBe('Healthy');
  });

  it('shows no state without a current response', () => {
    expect(makeLabBadge(sampleLabStatus('healthy'), true, null, false)).toMatchObject({
      text: labBadgeTexts.noAnswer,
      appearance: { color: 'gone' },
    });
    expect(makeLabBadge(undefined, false, null, false).text).toBe('Connecting');
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
    expect(managerReason(slow.managers[3]!, () => '1 s')).toBe('answers in 1.9 s');
  });
});

describe('describeChanges', () => {
  it('describes the changes, and returns an empty text if there are none', () => {
    const healthyLab = sampleLabStatus('healthy');
    const after = sampleLabStatus('degraded', { resource: refused });
    expect(describeChanges(undefined, after)).toBe('');
    expect(describeChanges(healthyLab, healthyLab)).toBe('');
    expect(describeChanges(healthyLab, after)).toBe(
      'Resource Manager unreachable: connection refused (127.0.0.1:8003). Lab: Degraded.',
    );
    expect(describeChanges(after, healthyLab)).toBe('Resource Manager healthy. Lab: Healthy.');
  });
});
