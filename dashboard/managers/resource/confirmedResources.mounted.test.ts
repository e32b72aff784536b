/** Which responses the page shows, and when it reads all resources again. */
import { expect, it, vi } from 'vitest';
import { useManualClock } from '#api/fixtures/manualClock.ts';
import { sampleResource } from '../../fixtures/resourceResponses.ts';
import { runInComponent } from '../../fixtures/mounted.ts';
import { useConfirmedResources } from './confirmedResources.ts';

type Watched = Parameters<ReturnType<typeof useConfirmedResources>['watchResponses']>[0];

const tube = (quantity: number) => sampleResource('A', { base_type: 'consumable', quantity });
const lab = 'http://lab.example:8003/';

/** A manager whose responses the test sends. */
function setUp() {
  const { result: confirmed } = runInComponent(useConfirmedResources);
  const responses: ((body: unknown) => void)[] = [];
  const call = (): Promise<unknown> => new Promise((resolve) => responses.push(resolve));
  const client = { getResource: call, setQuantity: call } as unknown as Watched;
  const shownQuantity = (address = lab, body: object = {}) => {
    confirmed.publish();
    return confirmed.rowsSince(body, address).get('A')?.quantity;
  };
  return { confirmed, responses, shownQuantity, client };
}

it('the response to an older read does not replace a confirmed change', async () => {
  const { confirmed, client, responses, shownQuantity } = setUp();
  const watched = confirmed.watchResponses(client, lab);
  const read = watched.getResource({ resource_id: 'A' });
  const change = watched.setQuantity({ resource_id: 'A', quantity: 5 });
  responses[1]?.(tube(5));
  await change;
  responses[0]?.(tube(1));
  await read;
  expect(shownQuantity()).toBe(5);
  const nextRead = watched.getResource({ resource_id: 'A' });
  responses[2]?.(tube(7));
  await nextRead;
  expect(shownQuantity()).toBe(7);
});

it('a change is shown only in its own lab', async () => {
  const { confirmed, client, responses, shownQuantity } = setUp();
  const change = confirmed.watchResponses(client, lab).setQuantity({ resource_id: 'A', quantity: 5 });
  responses[0]?.(tube(5));
  await change;
  expect([shownQuantity(), shownQuantity('http://other.example:8003/')]).toEqual([5, undefined]);
});

it('a change stays shown until the page shows a full read that contains it', async () => {
  const { confirmed, client, responses, shownQuantity } = setUp();
  const readAll = () => confirmed.readAll(lab, () => Promise.resolve({}), new AbortController().signal);
  const previous = await readAll();
  const change = confirmed.watchResponses(client, lab).setQuantity({ resource_id: 'A', quantity: 5 });
  responses[0]?.(tube(5));
  await change;
  const next = await readAll();
  expect([shownQuantity(lab, previous), shownQuantity(lab, next)]).toEqual([5, undefined]);
});

it('a long batch pauses for a full read after a minute', async () => {
  const clock = useManualClock();
  const { confirmed, client, responses } = setUp();
  const watched = confirmed.watchResponses(client, lab);
  const body = {};
  const read = vi.fn(() => Promise.resolve(body));
  const pending = watched.setQuantity({ resource_id: 'A', quantity: 5 });
  const all = confirmed.readAll(lab, read, new AbortController().signal);
  await clock.advanceInSteps(59_000, 250);
  const isSent = vi.fn();
  void confirmed.fullReadEnded().then(isSent);
  await clock.advanceInSteps(2000, 250);
  expect(isSent).toHaveBeenCalled();
  const isNextSent = vi.fn();
  void confirmed.fullReadEnded().then(isNextSent);
  await clock.advanceInSteps(250, 250);
  expect(isNextSent).not.toHaveBeenCalled();
  responses[0]?.(tube(5));
  await pending;
  await clock.advanceInSteps(250, 250);
  expect(await all).toBe(body);
  expect(read).toHaveBeenCalledOnce();
  await clock.advanceInSteps(4000, 250);
  expect(isNextSent).toHaveBeenCalled();
});
