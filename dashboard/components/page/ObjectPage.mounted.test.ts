/** The page of one object before, during and after the object is available. */
import { computed, h } from 'vue';
import { expect, it } from 'vitest';
import { mountComponent } from '../../fixtures/mounted.ts';
import { queriesOnScreen } from '../feedback/dataAge.ts';
import type { LiveQuery } from '../feedback/liveQuery.ts';
import ObjectPage from './ObjectPage.vue';

const receivedAt = Date.UTC(2026, 10, 25, 12);
function createLiveQuery(refusedWith: number | null): LiveQuery<string> {
  return {
    source: 'Resource Manager',
    data: computed(() => undefined),
    receivedAt: computed(() => receivedAt),
    interval: computed(() => 0),
    failure: computed(() => null),
    errorStatus: computed(() => refusedWith),
    failingSince: computed(() => null),
    nextTry: computed(() => null),
    fetching: computed(() => false),
    stale: computed(() => false),
    address: computed(() => 'http://lab-pc:8003/'),
    retry: () => undefined,
    refresh: () => Promise.reject(new Error('not read again')),
  };
}
const mountPage = (object: string | null, refusedWith: number | null = null) =>
  mountComponent(
    ObjectPage,
    {
      title: 'plate_101',
      trail: [{ title: 'Resources', to: '/resources' }],
      live: createLiveQuery(refusedWith),
      object,
      missing: { title: 'There is no such resource.', body: '' },
      noAddress: 'No manager is configured.',
      loadingText: 'Waiting …',
    },
    {
      actions: () => [h('button', 'Delete')],
      facts: () => [h('span', 'Locked')],
      default: ({ object: text }: { object: string }) => [h('p', `All of ${text}`)],
    },
  ).page;

it('ObjectPage shows facts, actions and body of an object that was read', () => {
  const page = mountPage('the plate');
  expect(page.getByRole('heading', { level: 1 }).textContent).toBe('plate_101');
  expect(page.getByText('Locked').tagName).toBe('SPAN');
  expect(page.getByRole('button', { name: 'Delete' }).tagName).toBe('BUTTON');
  expect(page.getByText('All of the plate').tagName).toBe('P');
});

it('ObjectPage shows no facts and no actions until the object is known', () => {
  const page = mountPage(null);
  expect(page.queryByText('Locked')).toBeNull();
  expect(page.queryByRole('button')).toBeNull();
});

it.each([
  ['includes an object that was read in the age on screen', 'the plate', null, [receivedAt]],
  ['leaves the response that there is no such object out of the age on screen', null, 404, []],
])('%s', (_title, object, refusedWith, ages) => {
  mountPage(object, refusedWith);
  expect(queriesOnScreen().map((source) => source.receivedAt.value)).toEqual(ages);
});
