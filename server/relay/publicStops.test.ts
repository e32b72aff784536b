import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { workcellApi } from '../../api/managers/workcell.ts';
import { BufferedResponse, MemoryBudget } from './memory.ts';
import { PublicStops } from './publicStops.ts';

const commands = ['safety_stop', 'lock', 'pause', 'cancel'];
const offlineNodes = Array.from({ length: 10 }, (_, index) => `off_${index}`);
const service = new AbortController();

/** The commands that the manager received, and those that wait for their node, as `command/node`. */
let received: string[] = [];
let running: Map<string, () => void>;
let maxRunning = 0;
let stops: PublicStops;
/** The nodes that do not respond. */
let unresponsiveNodes: ReadonlySet<string>;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  [received, running, maxRunning, unresponsiveNodes] = [[], new Map(), 0, new Set(offlineNodes)];
  stops = new PublicStops({
    send: ({ url }) =>
      new Promise((resolve) => {
        const name = url.pathname.replace('/admin/', '');
        received.push(name);
        const respond = (): void => {
          running.delete(name);
          resolve(new BufferedResponse(200, {}, Buffer.from(''), new MemoryBudget(1)));
        };
        running.set(name, respond);
        maxRunning = Math.max(maxRunning, running.size);
        setTimeout(respond, unresponsiveNodes.has(name.split('/')[1] ?? '') ? 10_000 : 20);
      }),
  });
});
afterEach(() => void vi.useRealTimers());

function send(command: string, node: string, client = new AbortController()): Promise<BufferedResponse> {
  const url = new URL(`http://lab/admin/${command}/${node}`);
  const endpoint = workcellApi.endpoints.sendCommand;
  const request = { manager: 'workcell', client: '', endpoint, url, headers: {}, body: null } as const;
  return stops.send({ ...request, signal: client.signal }, service.signal);
}

/** Sends every command to every node again as soon as it has a response, as a hostile client can. */
function flood(nodes: readonly string[]): void {
  const repeat = (command: string, node: string): void => {
    void send(command, node).then(() => repeat(command, node));
  };
  for (const node of nodes) for (const command of commands) repeat(command, node);
}

describe('safety stops of clients without a role', () => {
  it('are sent to all nodes within 1 s when the nodes respond', async () => {
    const nodes = Array.from({ length: 200 }, (_, index) => `node_${index}`);
    const responses = nodes.flatMap((node) => [send('lock', node), send('pause', node)]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(received).toHaveLength(400);
    await Promise.all(responses);
  });

  it('occupy at most 16 of the manager’s threads, however often they are sent to nodes that do not respond', async () => {
    flood(offlineNodes);
    await vi.advanceTimersByTimeAsync(0);
    expect(received.filter((command) => command.startsWith('safety_stop/'))).toHaveLength(offlineNodes.length);
    await vi.advanceTimersByTimeAsync(140_000);
    expect(maxRunning).toBe(16);
    expect(new Set(received).size).toBe(40);
  });

  it('are all sent, even after their clients disconnect', async () => {
    const requests = offlineNodes.flatMap((node) =>
      commands.map((command) => {
        const client = new AbortController();
        return { client, response: send(command, node, client) };
      }),
    );
    const results = Promise.allSettled(requests.map(({ response }) => response));
    for (const { client } of requests) client.abort();
    await vi.advanceTimersByTimeAsync(60_000);
    expect((await results).every(({ status }) => status === 'rejected')).toBe(true);
    expect(new Set(received)).toEqual(
      new Set(offlineNodes.flatMap((node) => commands.map((command) => `${command}/${node}`))),
    );
  });

  it.each([0, 500, 5000, 25_000])(
    'reach responsive nodes within 1.3 s, %i ms after a flood to other nodes began',
    async (afterMs) => {
      flood(offlineNodes);
      await vi.advanceTimersByTimeAsync(afterMs);
      const nodes = Array.from({ length: 50 }, (_, index) => `node_${index}`);
      const responses = nodes.flatMap((node) => [send('safety_stop', node), send('lock', node), send('pause', node)]);
      await vi.advanceTimersByTimeAsync(1300);
      for (const node of nodes)
        expect(received).toEqual(expect.arrayContaining([`safety_stop/${node}`, `lock/${node}`, `pause/${node}`]));
      await Promise.all(responses);
    },
  );

  it('reach a node within 50 s after it begins to respond, and then without delay', async () => {
    flood(offlineNodes);
    await vi.advanceTimersByTimeAsync(15_000);
    unresponsiveNodes = new Set(offlineNodes.slice(1));
    received = [];
    await vi.advanceTimersByTimeAsync(50_000);
    expect(received).toContain('safety_stop/off_0');
    received = [];
    await vi.advanceTimersByTimeAsync(1000);
    expect(received).toEqual(expect.arrayContaining(commands.map((command) => `${command}/off_0`)));
  });

  it('reach a responsive node with every command during a flood to it', async () => {
    flood(['node']);
    await vi.advanceTimersByTimeAsync(100);
    received = [];
    await vi.advanceTimersByTimeAsync(100);
    expect(received).toEqual(expect.arrayContaining(commands.map((command) => `${command}/node`)));
  });

  it('do not share a pending stop that started before a command that may have released it', async () => {
    const first = send('safety_stop', 'off_0');
    void send('safety_stop', 'off_0');
    await vi.advanceTimersByTimeAsync(100);
    expect(received).toHaveLength(1);
    stops.stopSharing('workcell');
    const second = send('safety_stop', 'off_0');
    await vi.advanceTimersByTimeAsync(100);
    expect(received).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(10_000);
    await Promise.all([first, second]);
  });
});
