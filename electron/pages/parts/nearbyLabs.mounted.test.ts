import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fleetAppearances } from '#api/lab/fleet.ts';
import { click, mountComponent } from '#dashboard/fixtures/mounted.ts';
import type { PageCommand } from '../../ipc/commands.ts';
import type { NearbyLabs as Found } from '../../ipc/contract.ts';
import NearbyLabs from './NearbyLabs.vue';
import { connectTexts } from './texts.ts';

const bench: Found['labs'][number] = {
  url: 'http://10.0.0.5:8000/',
  name: 'Bench',
  machine: 'lab-pc',
  state: 'degraded',
  reason: 'Resource Manager: connection refused',
  managers: { healthy: 5, total: 6 },
};

let nearbyResponse: { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: string };
let connected: string[];
let requestCount: number;
/** The response to `connect` arrives when this promise resolves. */
let delay: Promise<void>;

const find = (...labs: Found['labs']) => (nearbyResponse = { ok: true, value: { isOff: false, labs } satisfies Found });

beforeEach(() => {
  vi.useFakeTimers();
  [connected, requestCount] = [[], 0];
  delay = Promise.resolve();
  find();
  const request = async (command: PageCommand) => {
    if (command.command === 'connect') {
      connected.push(command.url);
      await delay;
    }
    if (command.command !== 'nearby-labs') return { ok: true, value: null };
    requestCount += 1;
    return nearbyResponse;
  };
  Object.assign(window, { labManagerShell: { request } });
});
afterEach(() => {
  vi.useRealTimers();
  Reflect.deleteProperty(window, 'labManagerShell');
});

async function open(shownAddress: string | null = null, listeners: Readonly<Record<string, () => void>> = {}) {
  const mounted = mountComponent(NearbyLabs, { shownUrl: shownAddress, ...listeners });
  await vi.advanceTimersByTimeAsync(0);
  return mounted;
}

describe('the labs on the network', () => {
  it('are searched for before the page reports that there are none', async () => {
    const { page } = await open();
    expect(page.getByRole('status').textContent).toContain('Searching this network…');
    await vi.advanceTimersByTimeAsync(4000);
    expect(page.getByRole('status').textContent).toContain(
      'No other lab manager was found on this network. Enter its address above.',
    );
  });

  it('are listed with address and state as soon as they are found', async () => {
    const { page } = await open();
    find(bench, { ...bench, url: 'http://10.0.0.6:80/', machine: '10.0.0.6', state: 'unknown', managers: null });
    await vi.advanceTimersByTimeAsync(1500);
    const [first, second] = page.getAllByRole('listitem').map(({ textContent }) => textContent ?? '');
    for (const text of ['Bench', 'lab-pc (10.0.0.5:8000)', fleetAppearances.degraded.label, '5/6 managers'])
      expect(first).toContain(text);
    expect(second).toContain('Checking…');
  });

  it('are connected to by their button, except for the lab that is shown', async () => {
    find(bench, { ...bench, url: 'http://10.0.0.6:8000/', name: 'Culture' });
    const { page } = await open('http://10.0.0.6:8000/');
    expect(page.getAllByRole('button')).toHaveLength(1);
    await click(page.getByRole('button', { name: 'Connect to Bench on lab-pc' }));
    expect(connected).toEqual([bench.url]);
    expect(page.getByRole('list').textContent).toContain(connectTexts.shownNow);
  });

  it('are reported as connected even if their button disappears before the response arrives', async () => {
    find(bench);
    const onConnected = vi.fn();
    const { page, setProps } = await open(null, { onConnected });
    let respond = () => {};
    delay = new Promise((resolve) => (respond = resolve));
    await click(page.getByRole('button', { name: 'Connect to Bench on lab-pc' }));
    await setProps({ shownUrl: bench.url });
    expect(page.queryByRole('button')).toBeNull();
    respond();
    await vi.advanceTimersByTimeAsync(0);
    expect(onConnected).toHaveBeenCalledOnce();
  });

  it('have no section while the service does not run, and a note while the search is switched off', async () => {
    nearbyResponse = { ok: false, error: 'The lab manager service is not running' };
    const { page } = await open();
    expect(page.queryByText('On this network')).toBeNull();
    nearbyResponse = { ok: true, value: { isOff: true, labs: [] } satisfies Found };
    await vi.advanceTimersByTimeAsync(1500);
    expect(page.getByRole('status').textContent).toContain('The search on this network is switched off (LAB_MDNS).');
  });

  it('are no longer requested after the page is closed', async () => {
    const { unmount } = await open();
    await vi.advanceTimersByTimeAsync(3000);
    unmount();
    const countBefore = requestCount;
    expect(countBefore).toBe(3);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(requestCount).toBe(countBefore);
  });
});
