import { describe, expect, it } from 'vitest';
import type { LabContext } from '#api/lab/lab.ts';
import { describeUnsetAddresses } from '#api/lab/settings.ts';
import { managerAppearances, nodeAppearances, workflowAppearances } from '#api/states.ts';
import { sampleLabStatus, sampleTime } from '../../fixtures/sampleLabStatus.ts';
import { listNeeds } from '#api/lab/needs.ts';
import { nodePage, workflowPage } from '../../base/objectPages.ts';
import type { AttentionItem } from '../panel.ts';
import {
  countLoopbackAddresses,
  createLabItems,
  rankItems,
  toAttentionItem,
  countInitiallyShown,
  hideItem,
  type AttentionInput,
} from './attention.ts';

const sampleInput = (overrides: Partial<AttentionInput> = {}): AttentionInput => ({
  managers: sampleLabStatus('healthy').managers,
  loopbackAddressCount: 0,
  ...overrides,
});
const item = (key: string, overrides: Partial<AttentionItem> = {}): AttentionItem => ({
  key,
  appearance: nodeAppearances.errored,
  name: key,
  reason: '',
  since: null,
  action: { label: 'Open' },
  ...overrides,
});

describe('toAttentionItem', () => {
  it('contains the reason, what to do, and the page of the object', () => {
    const since = sampleTime(14, 2);
    const { managers } = sampleLabStatus('degraded', {
      resource: { state: 'unreachable', reason: 'Failed to connect: connection refused', since },
    });
    const arm = { name: 'arm', state: 'paused' as const, reason: null, since, waiting: 2 };
    const wash = { id: 'w', name: 'Wash', reason: 'the workcell has no node washer' };
    const activity = { nodes: { in_need: [arm] }, blocked_workflows: [wash] };
    const items = listNeeds({ managers, activity, stopped_engine: { name: 'Cell', reason: '', since: null } });
    expect(items.map(toAttentionItem).map(({ name, reason, action }) => [name, reason, action.to])).toEqual([
      ['Resource Manager', 'connection refused. Check that it runs.', undefined],
      ['Cell', expect.stringMatching(/No step starts\. Restart the workcell manager\.$/), '/workcells'],
      ['arm', 'Paused. 2 workflows wait for it. Resume it.', nodePage('arm')],
      ['Wash', expect.stringMatching(/^the workcell has no node washer\. /), workflowPage('w')],
    ]);
  });
});

describe('createLabItems', () => {
  it('returns no item for a healthy lab, and no warning of addresses where no manager responds', () => {
    expect(createLabItems(sampleInput())).toEqual([]);
    const managers = sampleLabStatus('down').managers.map((manager) => ({ ...manager, state: 'unreachable' as const }));
    expect(createLabItems(sampleInput({ managers, loopbackAddressCount: 6 }))).toEqual([]);
  });

  it('returns an item for mismatched versions, and one for loopback addresses, which can be hidden', () => {
    const { managers } = sampleLabStatus('healthy', { event: { version: '0.7.1' } });
    const items = createLabItems(sampleInput({ managers, loopbackAddressCount: 6 }));
    expect(items.map(({ name, hideable }) => [name, hideable])).toEqual([
      ['Versions', undefined],
      ['Addresses', true],
    ]);
  });

  it('returns an item that opens the addresses if a lab sets only some of them', () => {
    expect(createLabItems(sampleInput({ unsetAddresses: ['workcell'] }))).toMatchObject([
      { name: 'Addresses', reason: describeUnsetAddresses(['workcell_server_url']), action: { to: '/lab' } },
    ]);
  });
});

describe('countLoopbackAddresses', () => {
  const context: LabContext = {
    lab_server_url: 'http://localhost:8000/',
    event_server_url: 'http://localhost:8001/',
    experiment_server_url: 'http://127.0.0.1:8002/',
    resource_server_url: 'http://lab-pc:8003/',
    data_server_url: null,
    workcell_server_url: null,
    location_server_url: null,
  };
  it.each([
    [2, 'without a host name, relay or demo', {}, {}],
    [0, 'with a host name that replaces them', { advertised_host: 'lab-pc' }, {}],
    [0, 'with the relay, which browsers use instead', {}, { remote_access: 'view' as const }],
    [0, 'in a demo lab', {}, { demo: true as const }],
  ])('returns %i %s', (expected, _name, settings, lab) => {
    expect(countLoopbackAddresses(context, settings, lab)).toBe(expected);
  });
});

describe('rankItems', () => {
  it('puts current items before past ones, then the worst first, then the newest first', () => {
    const items = [
      item('old failure', { appearance: workflowAppearances.failed, past: true, since: 1 }),
      item('new failure', { appearance: workflowAppearances.failed, past: true, since: 9 }),
      item('slow', { appearance: managerAppearances.slow, since: 5 }),
      item('arm', { since: 3 }),
      item('reader', { since: 4 }),
      item('unreachable manager', { appearance: managerAppearances.unreachable }),
    ];
    expect(rankItems(items).map(({ key }) => key)).toEqual([
      'unreachable manager',
      'reader',
      'arm',
      'slow',
      'new failure',
      'old failure',
    ]);
  });
});

it.each([
  [0, 3, true, 3],
  [0, 4, true, 4],
  [0, 5, true, 3],
  [0, 9, false, 9],
  [0, 10, false, 8],
  [2, 8, true, 3],
  [6, 0, true, 6],
  [6, 1, true, 7],
  [6, 2, true, 6],
  [40, 5, false, 40],
])(
  'a list of %i current and %i past items on a small screen (%s) shows %i at first',
  (currentCount, pastCount, small, shown) => {
    const items = [
      ...Array.from({ length: currentCount }, () => ({})),
      ...Array.from({ length: pastCount }, () => ({ past: true }) as const),
    ];
    expect(countInitiallyShown(items, small)).toBe(shown);
  },
);

it('hideItem puts the key last and keeps a limited number of keys', () => {
  expect(hideItem(['a', 'b'], 'a')).toEqual(['b', 'a']);
  const manyKeys = Array.from({ length: 600 }, (_, index) => String(index));
  expect(hideItem(manyKeys, 'new').at(-1)).toBe('new');
  expect(hideItem(manyKeys, 'new')).toHaveLength(500);
});
