/** Tests the page of one object before and after the object is loaded. */
import { computed, h } from 'vue';
import { expect, it } from 'vitest';
import { createLiveQuery } from '../../fixtures/liveQuery.ts';
import { mountComponent } from '../../fixtures/mounted.ts';
import { getQueriesOnScreen } from '../feedback/dataAge.ts';
import ObjectPage from './ObjectPage.vue';

const receivedAt = Date.UTC(2026, 10, 25, 12);
const mountPage = (object: string | null, errorStatus: number | null = null) =>
  mountComponent(
    ObjectPage,
    {
      title: 'plate_101',
      trail: [{ title: 'Resources', to: '/resources' }],
      live: createLiveQuery<string>({
        receivedAt: computed(() => receivedAt),
        errorStatus: computed(() => errorStatus),
      }),
      object,
      missing: { title: 'There is no such resource.', body: '' },
      noAddress: 'No manager is configured.',
      loadingText: 'Waiting…',
    },
    {
      actions: () => [h('button', 'Delete')],
      facts: () => [h('span', 'Locked')],
      default: ({ object: text }: { object: string }) => [h('p', `All of ${text}`)],
    },
  ).page;

it('ObjectPage shows facts, actions and body of a loaded object', () => {
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
  ['counts a loaded object in the age on screen', 'the plate', null, [receivedAt]],
  ['does not count a 404 response in the age on screen', null, 404, []],
])('ObjectPage %s', (_title, object, errorStatus, ages) => {
  mountPage(object, errorStatus);
  expect(getQueriesOnScreen().map((source) => source.receivedAt.value)).toEqual(ages);
});
