/** The page shows confirmed changes at once, and reads all resources only while no command waits. */
import { expect, it, vi } from 'vitest';
import { defineComponent } from 'vue';
import {
  respondAsResourceManager,
  sampleResource,
  type ResourceRequest,
} from '#dashboard/fixtures/resourceResponses.ts';
import { mountComponent } from '#dashboard/fixtures/mounted.ts';
import { useCommandConfirmation } from '#dashboard/managers/commands/commandConfirmation.ts';
import { useResources, type Resources } from '#dashboard/managers/resource/useResources.ts';
import { resourceOperation } from './resourceActions.ts';
import { useResourceOperations, type ResourceOperations } from './useResourceOperations.ts';

const tube = (quantity: number) =>
  sampleResource('A', { resource_name: 'tube', base_type: 'continuous_consumable', quantity, capacity: 100 });

async function mountOperations(respondToOther: (request: ResourceRequest) => unknown) {
  const responses = respondAsResourceManager({ resources: [tube(1)], respondToOther });
  let parts: { readonly operations: ResourceOperations; readonly resources: Resources } | null = null;
  let confirmation: ReturnType<typeof useCommandConfirmation> | null = null;
  mountComponent(
    defineComponent(() => {
      parts = { operations: useResourceOperations(), resources: useResources() };
      confirmation = useCommandConfirmation();
      return () => null;
    }),
  );
  const { operations, resources } = parts!;
  const shownRow = () => resources.index.value.byId.get('A')!;
  await vi.waitFor(() => expect(shownRow().quantity).toBe(1));
  const countFullReads = () =>
    vi.mocked(fetch).mock.calls.filter(([url]) => String(url).endsWith('/resource/query')).length;
  const setQuantity = (value: number) =>
    operations.operate({
      verb: 'Set',
      row: shownRow(),
      ...resourceOperation(operations, shownRow(), resources.index.value, { kind: 'setQuantity', value }),
    });
  const confirm = (): void => confirmation?.respond(true);
  const pending = () => confirmation?.pending ?? null;
  return { responses, resources, shownRow, countFullReads, setQuantity, pending, confirm };
}

it('a confirmed change is shown at once, and is not the changed state of the next command', async () => {
  let quantity = 1;
  const lab = await mountOperations(({ path, query }) => {
    if (path.endsWith('/quantity')) quantity = Number(query.get('quantity'));
    return tube(quantity);
  });
  for (const next of [5, 6]) {
    expect(await lab.setQuantity(next)).toMatchObject({ quantity: next });
    expect(lab.pending()).toBeNull();
    expect(lab.shownRow().quantity).toBe(next);
  }
  // The list still contains the first amount.
  expect(lab.countFullReads()).toBe(1);
  lab.responses.resources = [tube(7)];
  await lab.resources.live.refresh();
  expect(lab.shownRow().quantity).toBe(7);
});

it('a change by another user is shown with the question whether to send', async () => {
  const lab = await mountOperations(() => tube(9));
  void lab.setQuantity(5);
  await vi.waitFor(() => expect(lab.pending()).toMatchObject({ finding: { kind: 'changed' } }));
  expect(lab.shownRow().quantity).toBe(9);
});

it('all resources are read only after the response to a waiting command', async () => {
  let respond = (_quantity: number): void => undefined;
  const lab = await mountOperations(({ path }) =>
    path.endsWith('/quantity') ? new Promise((resolve) => (respond = (quantity) => resolve(tube(quantity)))) : tube(1),
  );
  const sent = lab.setQuantity(5);
  await vi.waitFor(() => expect(lab.responses.requests.map(({ method }) => method)).toEqual(['GET', 'POST']));
  const refreshed = lab.resources.live.refresh();
  await Promise.resolve();
  expect(lab.countFullReads()).toBe(1);
  respond(5);
  await sent;
  lab.responses.resources = [tube(5)];
  await refreshed;
  expect(lab.countFullReads()).toBe(2);
});

it('a resource that another user removed disappears from the page', async () => {
  const lab = await mountOperations(() => undefined);
  expect(await lab.setQuantity(5)).toBeNull();
  await vi.waitFor(() => expect(lab.resources.index.value.byId.has('A')).toBe(false));
  // A second lookup would be a second error in the manager's log.
  expect(lab.responses.requests).toHaveLength(1);
});

it('a confirmed change waits for a full read that began while the confirmation was open', async () => {
  const lab = await mountOperations(({ path }) => tube(path.endsWith('/quantity') ? 5 : 9));
  const sent = lab.setQuantity(5);
  await vi.waitFor(() => expect(lab.pending()).toMatchObject({ finding: { kind: 'changed' } }));
  let endFullRead = (): void => undefined;
  const fullRead = new Promise<void>((resolve) => (endFullRead = resolve));
  Object.assign(lab.responses, { resources: fullRead.then(() => [tube(9)]) });
  const refreshed = lab.resources.live.refresh();
  await vi.waitFor(() => expect(lab.countFullReads()).toBe(2));
  const requestCount = lab.responses.requests.length;
  lab.confirm();
  await new Promise((resolve) => setTimeout(resolve));
  expect(lab.responses.requests).toHaveLength(requestCount);
  endFullRead();
  await refreshed;
  expect(await sent).toMatchObject({ quantity: 5 });
  expect(lab.pending()).toBeNull();
});
