import { fireEvent, within } from '@testing-library/dom';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { nextTick } from 'vue';
import type { FleetLab } from '#api/lab/fleet.ts';
import { click, stubTableSize, mountComponent, press } from '../../fixtures/mounted.ts';
import { formatCsv } from '../../components/table/rows/csv.ts';
import { getMinTableWidth } from '../../components/table/tableColumns.ts';
import { fleetColumns } from './columns.ts';
import FleetPanel from './FleetPanel.vue';
import { fleetTexts } from './texts.ts';

const now = Date.UTC(2026, 10, 23, 14);
const secondsAgo = (seconds: number) => new Date(now - seconds * 1000).toISOString();

const lab = (name: string, changes: Partial<FleetLab> = {}): FleetLab => ({
  url: `http://${name}:8000/`,
  name,
  state: 'healthy',
  since: secondsAgo(7200),
  reason: null,
  answered: secondsAgo(5),
  version: '0.1.0',
  managers: { healthy: 6, total: 6 },
  nodes: { ready: 4 },
  workflows: { queued: 0, running: 2, paused: 0 },
  incidents: { open: 0, last: null },
  safety_stop: null,
  stops_read: true,
  ...changes,
});
const stopInForce = { at: secondsAgo(60), machine: 'lab-pc', in_force: true, unconfirmed: 0 };
const unread = { managers: null, nodes: null, workflows: null, incidents: null } as const;

let labs: readonly FleetLab[] = [];
beforeEach(() => {
  vi.useFakeTimers({ now });
  stubTableSize();
  vi.stubGlobal('fetch', async (input: string) =>
    new URL(input).pathname === '/fleet/labs'
      ? Response.json({ now: secondsAgo(0), interval_seconds: 15, labs })
      : Response.json({ detail: 'Not Found' }, { status: 404 }),
  );
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it('the CSV file contains paused workflows, and an empty cell where the safety stop is unknown', () => {
  const exportedLabs = [lab('a', { workflows: { queued: 1, running: 2, paused: 3 } }), lab('b', { stops_read: false })];
  const [headings = [], ...lines] = formatCsv(fleetColumns(now), exportedLabs)
    .trim()
    .split('\r\n')
    .map((line) => line.split(','));
  const column = (title: string) => lines.map((cells) => cells[headings.indexOf(title)]);
  expect(column(fleetTexts.columns.paused)).toEqual(['3', '0']);
  expect(column(fleetTexts.inForce)).toEqual(['false', '']);
});

async function mount(fleetLabs: readonly FleetLab[]) {
  labs = fleetLabs;
  const { page, router } = mountComponent(FleetPanel);
  await vi.waitFor(() => page.queryByRole('grid') ?? page.getByText('No labs are configured'));
  await nextTick();
  const lines = () => page.getAllByRole('row').slice(1);
  const names = () => lines().map((line) => within(line).getByRole('link').textContent?.trim());
  const cells = (name: string): readonly string[] => {
    const line = lines().find((element) => within(element).getByRole('link').textContent?.trim() === name);
    return line === undefined
      ? []
      : within(line)
          .getAllByRole('gridcell')
          .map((cell) => (cell.textContent ?? '').trim());
  };
  return { page, router, names, cells };
}

describe('the order of the labs', () => {
  it('is safety stop, unreachable, down, incidents, degraded, unknown, maintenance, healthy', async () => {
    const { names } = await mount([
      lab('healthy'),
      lab('maintenance', { state: 'maintenance' }),
      lab('unknown', { state: 'unknown' }),
      lab('degraded', { state: 'degraded' }),
      lab('incidents', { state: 'incidents' }),
      lab('down', { state: 'down' }),
      lab('unreachable', { state: 'unreachable', ...unread }),
      lab('stopped', { state: 'stopped', safety_stop: stopInForce }),
    ]);
    expect(names()).toEqual([
      'stopped',
      'unreachable',
      'down',
      'incidents',
      'degraded',
      'unknown',
      'maintenance',
      'healthy',
    ]);
  });

  it('puts stopped labs at the top, even if unreachable, and sorts by the latest change, then by name', async () => {
    const { names, cells } = await mount([
      lab('a', { state: 'stopped', since: secondsAgo(50), safety_stop: stopInForce }),
      lab('lost', { state: 'unreachable', since: secondsAgo(10), safety_stop: stopInForce, ...unread }),
      lab('z', { since: secondsAgo(100) }),
      lab('y', { since: secondsAgo(100) }),
      lab('x', { since: secondsAgo(50) }),
    ]);
    expect(names()).toEqual(['lost', 'a', 'x', 'y', 'z']);
    expect(cells('lost')).toContain('in force when last read');
  });
});

describe('the row of a lab', () => {
  it('has workflows, incidents, the last safety stop and the managers', async () => {
    const { cells } = await mount([
      lab('bench', {
        state: 'stopped',
        reason: 'arm: door open',
        workflows: { queued: 3, running: 1200, paused: 1 },
        incidents: { open: 2, last: { name: 'arm', reason: 'door open', from: secondsAgo(60), to: null } },
        safety_stop: { ...stopInForce, unconfirmed: 1 },
      }),
    ]);
    expect(cells('bench')).toEqual([
      'bench',
      'Safety stop',
      '2 h',
      'arm: door open',
      '1,200, 4 waiting',
      '2 open',
      'in force, 1 unconfirmed',
      '6/6',
      '5 s ago',
    ]);
  });

  it('distinguishes none from unknown', async () => {
    const { cells } = await mount([
      lab('read'),
      lab('other', { ...unread, managers: { healthy: 4, total: 6 }, version: null, stops_read: false }),
      lab('new', { ...unread, state: 'unknown', since: null, answered: null, version: null, stops_read: false }),
    ]);
    expect(cells('read').slice(4)).toEqual(['2', 'none', 'none', '6/6', '5 s ago']);
    expect(cells('other').slice(4)).toEqual(['–', '–', '–', '4/6', '5 s ago']);
    expect(cells('new').slice(1)).toEqual(['Unknown', '–', '–', '–', '–', '–', '–', 'never']);
  });

  it('shows the age of the last response, which grows even while the list is not read', async () => {
    const { cells } = await mount([lab('bench', { answered: secondsAgo(170) })]);
    expect(cells('bench').at(-1)).toBe('2 min ago');
    vi.stubGlobal('fetch', () => new Promise(() => undefined));
    await vi.advanceTimersByTimeAsync(70_000);
    expect(cells('bench').at(-1)).toBe('4 min ago');
  });

  it('links to the lab’s own dashboard in a new tab and is reached by the arrow keys', async () => {
    const { page } = await mount([lab('a'), lab('b')]);
    const [first, second] = page.getAllByRole('link', { name: /^[ab]$/ });
    expect(first).toMatchObject({ target: '_blank', rel: 'noopener noreferrer', href: 'http://a:8000/', tabIndex: 0 });
    expect(second?.tabIndex).toBe(-1);
    first?.focus();
    await press('ArrowDown');
    await vi.waitFor(() => expect(document.activeElement).toBe(second));
  });

  it('is omitted if its address is not http or https', async () => {
    const { names, page } = await mount([lab('good'), lab('evil', { url: 'javascript:alert(1)' })]);
    expect(names()).toEqual(['good']);
    expect(page.queryAllByRole('link').every((link) => !link.getAttribute('href')?.startsWith('javascript'))).toBe(
      true,
    );
  });
});

describe('the numbers of labs by state', () => {
  it('filter the table when pressed, and show all labs when pressed again', async () => {
    const { page, names } = await mount([lab('a'), lab('b'), lab('c', { state: 'down' })]);
    const group = within(page.getByRole('group', { name: 'Labs by state' }));
    expect(group.getAllByRole('button').map((button) => button.textContent?.trim())).toEqual(['1 Down', '2 Healthy']);
    await click(group.getByRole('button', { name: '1 Down' }));
    await vi.waitFor(() => expect(names()).toEqual(['c']));
    expect(group.getByRole('button', { name: '1 Down' }).getAttribute('aria-pressed')).toBe('true');
    await click(group.getByRole('button', { name: '1 Down' }));
    await vi.waitFor(() => expect(names()).toEqual(['c', 'a', 'b']));
  });

  it('all labs are counted, even while a search shows only some', async () => {
    const { page, names } = await mount([lab('alpha'), lab('beta')]);
    fireEvent.input(page.getByRole('searchbox'), { target: { value: 'bet' } });
    await vi.waitFor(() => expect(names()).toEqual(['beta']));
    expect(page.getByRole('button', { name: /Healthy/ }).textContent?.trim()).toBe('2 Healthy');
  });
});

it('the visible columns and the rail fit on a screen of 1280 pixels', () => {
  const visible = fleetColumns(now).filter(({ hidden = false }) => !hidden);
  expect(getMinTableWidth(visible)).toBeLessThanOrEqual((1280 - 128) / 16);
});

it('the panel without labs explains the setting', async () => {
  const { page } = await mount([]);
  expect(page.getByText(/The setting LAB_FLEET/).textContent).toContain('lab_fleet in a settings file');
  expect(page.getByText(/^lab_fleet: \[/).tagName).toBe('CODE');
});

it('the panel renders only a few of a thousand rows', async () => {
  const { page } = await mount(Array.from({ length: 1000 }, (_none, index) => lab(`lab-${index}`)));
  expect(page.getByRole('grid').getAttribute('aria-rowcount')).toBe('1001');
  expect(page.getAllByRole('row').length).toBeLessThan(60);
});
