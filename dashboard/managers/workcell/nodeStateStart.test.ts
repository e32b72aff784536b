import { describe, expect, it } from 'vitest';
import type { NodeActivity } from '#api/lab/lab.ts';
import { sampleNode } from '../../fixtures/sampleWorkflow.ts';
import { createNodeStateStart } from './nodeState.ts';

const at = (stamp: string | null | undefined): number | null => (stamp ? Date.parse(`${stamp}Z`) : null);
const since = Date.UTC(2026, 10, 21, 13);
const nodeActivity = (state: NodeActivity['state']): readonly NodeActivity[] => [
  { name: 'arm', state, reason: null, since: new Date(since).toISOString() },
];
const errors = [{ message: 'no connection', logged_at: '2026-11-21T14:00:00' }];

describe('the start of a node state that needs attention', () => {
  it('is read from the service, regardless of how often the manager renews the error', () => {
    const lost = sampleNode({ disconnected: true, errors });
    expect(createNodeStateStart(nodeActivity('disconnected'), at)('arm', lost)).toBe(since);
    const renewed = sampleNode({ disconnected: true, errors: [{ ...errors[0], logged_at: '2026-11-21T14:00:30' }] });
    expect(createNodeStateStart(nodeActivity('disconnected'), at)('arm', renewed)).toBe(since);
  });

  it('is read from the node’s own error until the service has recorded it', () => {
    const failed = sampleNode({ errored: true, errors });
    expect(createNodeStateStart([], at)('arm', failed)).toBe(Date.UTC(2026, 10, 21, 14));
    expect(createNodeStateStart(nodeActivity('disconnected'), at)('arm', failed)).toBe(Date.UTC(2026, 10, 21, 14));
    expect(createNodeStateStart(nodeActivity('errored'), at)('arm', failed)).toBe(since);
  });

  it('is unknown for an unreachable node until the service has recorded it', () => {
    expect(createNodeStateStart([], at)('arm', sampleNode({ disconnected: true, errors }))).toBeNull();
  });
});
