/** What a page shows of a reading before, while and after it can be read. */
import { computed, h } from 'vue';
import { expect, it } from 'vitest';
import { mounted } from '../../fixtures/mounted.ts';
import type { Live } from './live.ts';
import LiveBody from './LiveBody.vue';

interface Reading {
  readonly data?: string;
  readonly address?: string | null;
  readonly failure?: string | null;
  readonly refusedWith?: number | null;
}
function reading({
  data,
  address = 'http://lab-pc:8002/',
  failure = null,
  refusedWith = null,
}: Reading): Live<string | undefined> {
  return {
    who: 'Experiment Manager',
    data: computed(() => data),
    receivedAt: computed(() => null),
    interval: computed(() => 1000),
    failure: computed(() => failure),
    refusedWith: computed(() => refusedWith),
    failingSince: computed(() => null),
    nextTry: computed(() => null),
    fetching: computed(() => false),
    stale: computed(() => failure !== null),
    address: computed(() => address),
    retry: () => undefined,
    refresh: () => Promise.reject(new Error('not asked for')),
  };
}
const missing = { title: 'There is no such object.', body: '', link: { title: 'All objects', to: '/' } };
const words = { noAddress: 'No manager is configured.', waiting: 'Waiting …' };
function shown(of: Reading, more: Record<string, unknown> = {}): string {
  const { page } = mounted(
    LiveBody,
    { live: reading(of), ...words, ...more },
    { default: () => [h('p', 'All of it')] },
  );
  const said = [words.noAddress, missing.title, missing.link.title, 'All of it', 'connection refused'].filter(
    (text) => page.queryAllByText(text, { exact: false }).length > 0,
  );
  return said.join(', ');
}

it.each<[string, Reading, Record<string, unknown>, string]>([
  ['nobody to ask', { address: null }, {}, words.noAddress],
  ['waiting', {}, {}, ''],
  ['read', { data: 'x' }, {}, 'All of it'],
  ['read once, and failing since', { data: 'x', failure: 'connection refused' }, {}, 'All of it, connection refused'],
  ['never read, and failing', { failure: 'connection refused' }, {}, 'connection refused'],
  ['something of before while another question is asked', {}, { has: true }, 'All of it'],
  [
    'another reading is stale',
    { data: 'x' },
    { notice: reading({ failure: 'connection refused' }) },
    'All of it, connection refused',
  ],
  ['an object that was found', { data: 'x' }, { object: {}, missing }, 'All of it'],
  ['no such object', { data: 'x' }, { object: null, missing }, `${missing.title}, ${missing.link.title}`],
  ['an object that is not read yet', {}, { object: null, missing }, ''],
  [
    'an object that its manager does not have',
    { failure: 'connection refused', refusedWith: 404 },
    { object: null, missing },
    `${missing.title}, ${missing.link.title}`,
  ],
  ['no reading is', { data: 'x', failure: 'connection refused' }, { notice: null }, 'All of it'],
])('%s', (_what, of, more, said) => {
  expect(shown(of, more)).toBe(said);
});
