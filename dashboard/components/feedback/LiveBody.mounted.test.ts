/** Tests the content of a page before and after its data is loaded, and after failures. */
import { computed, h } from 'vue';
import { expect, it } from 'vitest';
import { createLiveQuery } from '../../fixtures/liveQuery.ts';
import { mountComponent } from '../../fixtures/mounted.ts';
import type { LiveQuery } from './liveQuery.ts';
import LiveBody from './LiveBody.vue';

interface QueryState {
  readonly data?: string;
  readonly address?: string | null;
  readonly failure?: string | null;
  readonly errorStatus?: number | null;
}
function createExperimentQuery({
  data,
  address = 'http://lab-pc:8002/',
  failure = null,
  errorStatus = null,
}: QueryState): LiveQuery<string | undefined> {
  return createLiveQuery<string | undefined>({
    source: 'Experiment Manager',
    data: computed(() => data),
    interval: computed(() => 1000),
    failure: computed(() => failure),
    errorStatus: computed(() => errorStatus),
    stale: computed(() => failure !== null),
    address: computed(() => address),
  });
}
const missing = { title: 'There is no such object.', body: '', link: { title: 'All objects', to: '/' } };
const texts = { noAddress: 'No manager is configured.', loadingText: 'Waiting…' };
function renderedText(state: QueryState, overrides: Record<string, unknown> = {}): string {
  const { page } = mountComponent(
    LiveBody,
    { live: createExperimentQuery(state), ...texts, ...overrides },
    { default: () => [h('p', 'All of it')] },
  );
  const visibleTexts = [texts.noAddress, missing.title, missing.link.title, 'All of it', 'connection refused'].filter(
    (text) => page.queryAllByText(text, { exact: false }).length > 0,
  );
  return visibleTexts.join(', ');
}

it.each<[string, QueryState, Record<string, unknown>, string]>([
  ['a missing manager address', { address: null }, {}, texts.noAddress],
  ['nothing while loading', {}, {}, ''],
  ['the loaded data', { data: 'x' }, {}, 'All of it'],
  [
    'old data with a failure since the last read',
    { data: 'x', failure: 'connection refused' },
    {},
    'All of it, connection refused',
  ],
  ['a failure before the first read', { failure: 'connection refused' }, {}, 'connection refused'],
  ['the previous data while another query loads', {}, { hasEarlierData: true }, 'All of it'],
  [
    'that another query is stale',
    { data: 'x' },
    { notice: createExperimentQuery({ failure: 'connection refused' }) },
    'All of it, connection refused',
  ],
  ['an existing object', { data: 'x' }, { object: {}, missing }, 'All of it'],
  [
    'that the object does not exist',
    { data: 'x' },
    { object: null, missing },
    `${missing.title}, ${missing.link.title}`,
  ],
  ['nothing before the object is loaded', {}, { object: null, missing }, ''],
  [
    'that the manager reports the object as missing',
    { failure: 'connection refused', errorStatus: 404 },
    { object: null, missing },
    `${missing.title}, ${missing.link.title}`,
  ],
  [
    'the data without a notice of the failure',
    { data: 'x', failure: 'connection refused' },
    { notice: null },
    'All of it',
  ],
])('LiveBody shows %s', (_content, state, overrides, expected) => {
  expect(renderedText(state, overrides)).toBe(expected);
});
