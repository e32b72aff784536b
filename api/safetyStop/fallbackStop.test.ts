/** The stop that a page, the app or the command line sends itself, and its release. */
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { useManualClock } from '../fixtures/manualClock.ts';
import type { AdminCommandResponse } from '../managers/action.ts';
import { FallbackStop, type FallbackOptions } from './fallbackStop.ts';
import type { LabStop } from './labStop.ts';
import type { StopRecord } from './stopRecord.ts';
import type { StopTarget } from './stopReport.ts';

const arm: StopTarget = { name: 'arm', url: 'http://arm:2000/', commands: ['safety_stop'], before: [], isBusy: false };

function create(options: Partial<FallbackOptions> = {}) {
  const clock = useManualClock();
  const sent: string[] = [];
  const records: StopRecord[] = [];
  let respond = async (_command: string): Promise<AdminCommandResponse> => ({ success: true });
  const send = (route: string) => (command: string) => {
    sent.push(`${route} ${command}`);
    return respond(command);
  };
  const fallback = new FallbackStop({
    postToService: async () => Promise.reject(new Error('no service')),
    targets: () => [arm],
    routesTo: () => ({ direct: send('direct'), workcell: send('workcell') }),
    delayMs: 150,
    sender: () => ({ machine: 'lab-pc', application: 'dashboard' }),
    published: () => null,
    record: (record) => `event-${records.push(record)}`,
    onChange: () => undefined,
    ...options,
  });
  return { clock, fallback, sent, records, setResponse: (next: typeof respond) => (respond = next) };
}

it.each([
  ['accepts the stop', { known_nodes: 1, stop: null }, []],
  ['knows no node', { known_nodes: 0, stop: null }, ['direct safety_stop']],
])('the fallback sends commands of its own only if needed: the service %s', async (_what, response, expected) => {
  const { fallback, sent } = create({ postToService: async () => response });
  await fallback.press();
  expect(sent).toEqual(expected);
});

it('ends a late acceptance of the service with its state, and records a refusal', async () => {
  let answer = (_isAccepted: boolean): void => undefined;
  const posted = () =>
    new Promise<{ known_nodes: number; stop: null }>((resolve, reject) => {
      answer = (isAccepted) => (isAccepted ? resolve({ known_nodes: 1, stop: null }) : reject(new Error('refused')));
    });
  const { clock, fallback, records } = create({ postToService: posted });
  const first = fallback.press();
  clock.advance(300);
  await first;
  answer(true);
  await fallback.answered;
  expect(fallback.stop).toBeNull();
  const second = fallback.press();
  clock.advance(300);
  await second;
  answer(false);
  await fallback.answered;
  expect(fallback.stop?.id).toBe('event-1');
  expect(records.map(({ fields }) => fields.command)).toEqual(['safety_stop']);
});

it('is over when its release has reached every node', async () => {
  const { fallback, records } = create();
  await fallback.press();
  await fallback.answered;
  expect(fallback.inEffect?.nodes).toMatchObject([{ result: 'confirmed' }]);
  await fallback.release();
  expect([fallback.inEffect, fallback.stop?.nodes[0]?.released_at]).toEqual([null, expect.any(String)]);
  expect(records.at(-1)?.fields).toMatchObject({ command: 'safety_stop_release', result: 'done' });
  await fallback.press();
  expect(fallback.inEffect?.nodes).toMatchObject([{ result: 'confirmed' }]);
});

it('its next stop counts flags as its effects that the last reading shows of the released one', async () => {
  const read = { ...arm, before: ['lock'] };
  const targets = [arm];
  const { clock, fallback, setResponse } = create({ targets: () => targets });
  setResponse(async (command) => ({ success: command !== 'safety_stop' }));
  for (let press = 0; press < 2; press += 1) {
    await clock.settle(fallback.press());
    expect(fallback.stop?.nodes).toMatchObject([{ did: ['lock'], before: [] }]);
    targets[0] = read;
    await clock.settle(fallback.release());
    expect(fallback.inEffect).toBeNull();
  }
});

it('its release waits for a node that has not answered the stop', async () => {
  const { fallback, sent, setResponse } = create();
  let confirm = (): void => undefined;
  const pending = new Promise<AdminCommandResponse>((resolve) => (confirm = () => resolve({ success: true })));
  setResponse(async (command) => (command === 'safety_stop' ? pending : { success: true }));
  const pressed = fallback.press();
  await setImmediate();
  const released = fallback.release();
  await setImmediate();
  expect(sent).toEqual(['direct safety_stop']);
  confirm();
  await Promise.all([pressed, released]);
  expect(sent).toEqual(['direct safety_stop', 'workcell reset']);
  expect(fallback.inEffect).toBeNull();
});

it('its release is left to a service that accepts the stop meanwhile', async () => {
  const stopOfService = { id: 'stop-1', at: null, machine: null, application: null, nodes: [] };
  let accept = (): void => undefined;
  const accepting = new Promise<{ known_nodes: number; stop: LabStop }>(
    (resolve) => (accept = () => resolve({ known_nodes: 1, stop: stopOfService })),
  );
  const { clock, fallback, sent } = create({ postToService: () => accepting });
  const pressed = fallback.press();
  clock.advance(300);
  await pressed;
  let releasesByService = 0;
  const released = fallback.release(async () => void (releasesByService += 1));
  await setImmediate();
  accept();
  await released;
  expect([releasesByService, sent, fallback.stop]).toEqual([1, ['direct safety_stop'], null]);
});

it('its release waits for a node although a service knows the stop from the event log', async () => {
  const { clock, fallback, sent, setResponse } = create();
  let confirm = (): void => undefined;
  const pending = new Promise<AdminCommandResponse>((resolve) => (confirm = () => resolve({ success: true })));
  setResponse(async (command) => (command === 'safety_stop' ? pending : { success: true }));
  const pressed = fallback.press();
  await clock.advanceInSteps(200, 50);
  let releasesByService = 0;
  const released = fallback.release(async () => void (releasesByService += 1));
  await setImmediate();
  fallback.observe(fallback.stop);
  confirm();
  await clock.settle(Promise.all([pressed, released]));
  expect([releasesByService, sent.at(-1)]).toEqual([0, 'workcell reset']);
});

it('is not released after a press by an earlier release that the service has not answered', async () => {
  const { clock, fallback, sent } = create();
  let fail = (): void => undefined;
  const released = fallback.release(
    () => new Promise((_resolve, reject) => (fail = () => reject(new Error('timeout')))),
  );
  await clock.settle(fallback.press());
  fail();
  await released;
  expect(sent).toEqual(['direct safety_stop']);
  expect(fallback.inEffect).toMatchObject({ nodes: [{ result: 'confirmed' }] });
});

it('its release is incomplete while a node has not answered the stop', async () => {
  const { clock, fallback, records, setResponse } = create();
  let reject = (): void => undefined;
  const pending = new Promise<AdminCommandResponse>((_resolve, fail) => (reject = () => fail(new Error('late'))));
  setResponse(async () => pending);
  const pressed = fallback.press();
  await setImmediate();
  const released = fallback.release();
  await clock.advanceInSteps(11_000, 500);
  await released;
  expect(fallback.inEffect?.nodes).toMatchObject([{ result: 'sending' }]);
  expect(records.at(-1)?.fields).toMatchObject({ command: 'safety_stop_release', result: 'failed' });
  reject();
  await pressed;
});

it('stays in effect when a node was not released', async () => {
  const { fallback, setResponse } = create();
  await fallback.press();
  setResponse(async () => ({ success: false, errors: [{ message: 'door open' }] }));
  await fallback.release();
  expect(fallback.inEffect?.nodes).toMatchObject([{ release_failure: 'reset: door open' }]);
});

it('ends a release when the stop is pressed again', async () => {
  const { fallback, sent, records, setResponse } = create();
  await fallback.press();
  await fallback.answered;
  let fail = (): void => undefined;
  const pending = new Promise<AdminCommandResponse>((_resolve, reject) => (fail = () => reject(new Error('broken'))));
  setResponse(async (command) => (command === 'reset' ? pending : { success: true }));
  const release = fallback.release();
  await setImmediate();
  const pressed = fallback.press();
  fail();
  await Promise.all([release, pressed]);
  // The reset was sent by one way; it is not repeated by the other one after the press.
  expect(sent).toEqual(['direct safety_stop', 'workcell reset', 'direct safety_stop']);
  expect(fallback.inEffect?.nodes[0]).toMatchObject({ result: 'confirmed', did: ['safety_stop'] });
  expect(fallback.stop?.nodes[0]).not.toHaveProperty('released_at');
  expect(records.filter(({ fields }) => fields.command === 'safety_stop_release')).toEqual([]);
});

describe('with commands of its own', () => {
  const bench: StopTarget = { name: 'bench', url: null, commands: ['lock', 'pause'], before: ['lock'], isBusy: false };
  const nodes = [{ name: 'bench', attempted: ['lock', 'pause'], before: ['lock'] }];
  /** The service may not have read this lock yet. */
  const known = [{ name: 'bench', attempted: [], before: ['lock'] }];
  const stop = { id: 'stop-1', at: null, machine: null, application: null, nodes: [] };

  it('the service receives them when it accepts the stop late', async () => {
    const requests: unknown[] = [];
    let accept = (): void => undefined;
    const { clock, fallback } = create({
      targets: () => [bench],
      postToService: (request) => {
        requests.push(request);
        return new Promise((resolve) => (accept = () => resolve({ known_nodes: 1, stop })));
      },
    });
    const pressed = fallback.press();
    clock.advance(300);
    await clock.settle(pressed);
    accept();
    await setImmediate();
    accept();
    await fallback.answered;
    expect(requests).toEqual([{ nodes: known }, { nodes, stop_id: 'stop-1' }]);
    expect(fallback.stop).toBeNull();
  });

  it('the service receives them with the next press', async () => {
    const requests: unknown[] = [];
    const { clock, fallback } = create({
      targets: () => [bench],
      postToService: async (request) => {
        if (requests.push(request) === 1) throw new Error('no service');
        return { known_nodes: 1, stop };
      },
    });
    await clock.settle(fallback.press());
    await fallback.press();
    expect(requests).toEqual([{ nodes: known }, { nodes }]);
  });
});

it('continues a stop of the service at the nodes that have not confirmed it', async () => {
  const second: StopTarget = { ...arm, name: 'second' };
  const { fallback, sent, clock } = create({ targets: () => [arm, second] });
  const node = { workcell: '', reason: '', did: [], before: [] };
  const nodes = [
    { ...node, name: 'arm', result: 'confirmed' as const },
    { ...node, name: 'second', result: 'sending' as const },
  ];
  await clock.settle(fallback.continueStop({ id: 'stop-1', at: null, machine: null, application: null, nodes }));
  expect(sent).toEqual(['direct safety_stop']);
  expect(fallback.stop).toMatchObject({ id: 'stop-1', nodes: [{ result: 'confirmed' }, { result: 'confirmed' }] });
});

describe('a stop that the service published', () => {
  const bench: StopTarget = {
    name: 'bench',
    url: null,
    commands: ['lock', 'pause'],
    before: ['lock', 'pause'],
    isBusy: false,
  };
  const node = { name: 'bench', workcell: '', result: 'sending' as const, reason: '', did: [], before: [] };
  const stop = { id: 'stop-1', at: null, machine: null, application: null, nodes: [node] };

  /** A stop that is sent from here to its end, and the requests to the service since. */
  async function continueStop() {
    const requests: unknown[] = [];
    const postToService: FallbackOptions['postToService'] = async (request) => {
      requests.push(request);
      return { known_nodes: 1, stop };
    };
    const created = create({ targets: () => [bench], published: () => stop, postToService });
    await created.clock.settle(created.fallback.continueStop(stop));
    return { ...created, requests };
  }
  const handover = {
    nodes: [{ name: 'bench', attempted: ['lock', 'pause'], before: [] }],
    stop_id: 'stop-1',
  };

  it('is handed over with the flags from before the stop, not with its effects', async () => {
    const { fallback, requests } = await continueStop();
    fallback.observe(stop);
    expect(requests).toEqual([handover]);
    expect(fallback.stop).toBeNull();
  });

  it.each([
    ['is no longer in effect', null, 'stop-1'],
    ['was superseded', { ...stop, id: 'stop-2' }, 'stop-2'],
  ])(
    'and that %s is handed over, so that the service releases what was sent since',
    async (_what, published, stopId) => {
      const { fallback, requests } = await continueStop();
      fallback.observe(published);
      expect(requests).toEqual([{ ...handover, stop_id: stopId }]);
      expect(fallback.stop).toBeNull();
    },
  );
});

it('is handed over to the stop that the service has begun later from the same press', async () => {
  const requests: unknown[] = [];
  const { clock, fallback, setResponse } = create({
    postToService: async (request) => {
      if (requests.push(request) === 1) throw new Error('no answer');
      return { known_nodes: 1, stop: null };
    },
  });
  setResponse(() => new Promise(() => undefined));
  void fallback.press();
  await clock.advanceInSteps(600, 50);
  const at = new Date(clock.now()).toISOString();
  fallback.observe({ id: 'stop-2', at, machine: null, application: null, nodes: [], sending: true });
  await fallback.answered;
  const nodes = [{ name: 'arm', attempted: ['safety_stop', 'lock'], before: [] }];
  expect(requests).toEqual([{}, { nodes, stop_id: 'stop-2' }]);
  expect(fallback.stop).toBeNull();
});

it('records what it has sent after 1 s, so that other programs can release it', async () => {
  const bench: StopTarget = { name: 'bench', url: null, commands: ['lock', 'pause'], before: [], isBusy: false };
  const { clock, fallback, records, setResponse } = create({ targets: () => [bench] });
  setResponse(() => new Promise(() => undefined));
  void fallback.press();
  await clock.waitFor(
    () => expect(records.map(({ fields }) => fields.command)).toEqual(['safety_stop', 'safety_stop_result']),
    {
      withinMs: 1500,
    },
  );
  expect(records[1]?.fields.nodes).toMatchObject([{ result: 'sending', attempted: ['lock', 'pause'] }]);
});

it('records each change of the results, at most once a second', async () => {
  const bench = { ...arm, name: 'bench' };
  const { clock, fallback, records, setResponse } = create({ targets: () => [arm, bench] });
  const answers: (() => void)[] = [];
  setResponse(() => new Promise((resolve) => void answers.push(() => resolve({ success: true }))));
  void fallback.press();
  const listResults = () => records.flatMap(({ fields }) => (fields.nodes ?? []).map(({ result }) => result));
  await clock.waitFor(() => expect(listResults()).toEqual(['sending', 'sending']));
  await clock.advanceInSteps(300, 50);
  answers[0]?.();
  await clock.waitFor(() => expect(listResults().slice(-2).toSorted()).toEqual(['confirmed', 'sending']));
});

it('its release is incomplete while a workflow that the service has paused is not resumed', async () => {
  const workflows = [{ id: 'w1', name: 'Assay', node: 'arm', step: 0, was_running: false }];
  const node = {
    name: 'arm',
    workcell: '',
    result: 'confirmed' as const,
    reason: '',
    did: ['safety_stop'],
    before: [],
  };
  const published = { id: 'stop-1', at: null, machine: null, application: null, nodes: [node], workflows };
  const { fallback, records } = create({ published: () => published });
  await fallback.release();
  expect(fallback.inEffect?.nodes).toMatchObject([{ released_at: expect.any(String) }]);
  expect(records.at(-1)?.fields).toMatchObject({ command: 'safety_stop_release', result: 'failed' });
});
