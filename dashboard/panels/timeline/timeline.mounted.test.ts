import { fireEvent } from '@testing-library/dom';
import { computed, nextTick } from 'vue';
import { describe, expect, it } from 'vitest';
import type { LiveQuery } from '../../components/feedback/liveQuery.ts';
import { createLiveQuery } from '../../fixtures/liveQuery.ts';
import { click, mountComponent, press } from '../../fixtures/mounted.ts';
import { stackLanes } from './drawing/lanes.ts';
import { axisHeight } from './drawing/paint.ts';
import TimelineCanvas, { type Scene } from './drawing/TimelineCanvas.vue';
import FilterBar from './FilterBar.vue';
import { allWorkflowsVisible, sampleLayer } from '../../fixtures/sampleLayer.ts';
import { createLegend, findDrawnElements } from './drawing/legend.ts';
import { filtersFromQuery } from './layer/filters.ts';
import LegendList from './LegendList.vue';
import StepList from './list/StepList.vue';
import { listSteps } from './list/steps.ts';
import { markFilters } from './moments/markFilter.ts';
import { maxSteps } from './reading/messages.ts';
import ScopeNotes from './ScopeNotes.vue';
import SpanBar from './SpanBar.vue';
import { timelineTexts as texts } from './texts.ts';

const now = new Date(2026, 10, 22, 9).getTime();
const minute = 60_000;
const range = { from: now - 60 * minute, to: now };
const layer = sampleLayer([
  { start: now - 50 * minute, end: now - 40 * minute, owner: 0, step: 0 },
  { start: now - 30 * minute, end: now - 20 * minute, owner: 1, state: 'failed' },
  { start: now - 30 * minute, end: Infinity, owner: 2, state: 'running', lane: 'reader' },
]);
/** Index 1 is also the name of the first workflow. */
const table = ['', 'Alpha', 'Beta', 'Gamma', 'Delta'];
const textAt = (index: number | undefined) => table[index ?? 0] ?? '';

const createWorkcellQuery = (failure: string | null = null): LiveQuery<never> =>
  createLiveQuery<never>({
    source: 'Workcell Manager',
    failure: computed(() => failure),
    address: computed(() => 'http://lab:8005/'),
    refresh: () => new Promise(() => undefined),
  });

describe('the choice of a time range', () => {
  it('needs one press, and offers “since the last visit” only after an earlier visit', async () => {
    const selectedKeys: string[] = [];
    const props = {
      selectedKey: '24h',
      range,
      now,
      lastVisit: null,
      onChoose: (key: string) => selectedKeys.push(key),
    };
    const { page, setProps } = mountComponent(SpanBar, props);
    const night = page.getByRole('button', { name: texts.spans.night });
    const sinceLastVisit = page.getByRole('button', { name: texts.spans['last-visit'] });
    expect(night.title).toBe(texts.nightHint);
    expect(page.getByRole('button', { name: texts.spans['24h'] }).getAttribute('aria-pressed')).toBe('true');
    expect(sinceLastVisit.title).toBe('The Overview was not opened in this browser before this visit.');
    await click(sinceLastVisit);
    await click(night);
    expect(selectedKeys).toEqual(['night']);
    await setProps({ lastVisit: now - 5 * 60 * minute });
    expect(sinceLastVisit.title).toBe('Since the previous visit to the Overview, 04:00');
    await click(sinceLastVisit);
    expect(selectedKeys).toEqual(['night', 'last-visit']);
  });
});

describe('the filters of the timeline', () => {
  const input = {
    layer,
    textAt,
    lanes: ['arm', 'reader'],
    filters: filtersFromQuery({}),
    colouring: 'outcome',
    marks: 'all',
    getExperimentName: (id: string) => id,
  };

  it('offer the loaded values with their counts and emit each choice', async () => {
    const parts: unknown[] = [];
    const { page, setProps } = mountComponent(FilterBar, { ...input, onChange: (part: unknown) => parts.push(part) });
    const field = page.getByRole<HTMLSelectElement>('combobox', { name: texts.filters.workflow });
    expect([...field.options].map(({ text }) => text)).toEqual([
      `${texts.filters.workflow}: all`,
      ...table
        .slice(1)
        .toSorted()
        .map((name) => texts.choice(name, 1)),
    ]);
    // No workflow belongs to an experiment.
    expect(page.queryByRole('combobox', { name: texts.filters.experiment })).toBeNull();
    // Reserves the space while the workflows are read.
    await setProps({ unread: true });
    expect(page.getAllByRole('combobox', { name: texts.filters.experiment })).toHaveLength(1);
    await setProps({ unread: false });
    field.value = '1';
    field.dispatchEvent(new Event('change', { bubbles: true }));
    expect(parts).toEqual([{ workflow: 'Alpha' }]);
    await click(page.getByRole('button', { name: texts.colourings.workflow }));
    expect(parts.at(-1)).toEqual({ by: 'workflow' });
    await setProps({ filters: filtersFromQuery({ node: 'gone' }) });
    expect(page.getByRole<HTMLSelectElement>('combobox', { name: texts.filters.node }).selectedOptions[0]?.text).toBe(
      'gone',
    );
    const marks = page.getByRole<HTMLSelectElement>('combobox', { name: texts.marks });
    marks.value = String(markFilters.indexOf('errors'));
    fireEvent.change(marks);
    expect(parts.at(-1)).toEqual({ marks: 'errors' });
    await click(page.getByRole('button', { name: 'Show all' }));
    expect(parts.at(-1)).toEqual({
      node: undefined,
      workflow: undefined,
      author: undefined,
      experiment: undefined,
      outcome: undefined,
      marks: undefined,
    });
  });
});

it('the legend lists the categories, and only the symbols that are drawn', () => {
  const scene = { layer, lanes: stackLanes(layer.lanes, layer, { row: 24, padding: 8 }, 1), marks: [], outages: [] };
  const drawn = findDrawnElements(
    { ...scene, visibleWorkflows: allWorkflowsVisible, since: null, unwatched: [range] },
    range,
    now,
  );
  const legend = createLegend('workflow', ['Alpha (1)', 'Beta (1)'], drawn);
  const { page } = mountComponent(LegendList, { legend, dark: false });
  const parts = page.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(parts).toEqual(['Alpha (1)', 'Beta (1)', 'Failed', 'Unknown']);
});

describe('the loaded part of the archive', () => {
  const scope = { readCount: 60, requestedCount: 500, since: null, isTruncated: false };
  const input = {
    scope,
    archive: createWorkcellQuery(),
    marks: createWorkcellQuery(),
    markCount: 0,
    foreignCount: 0,
    range,
    unwatchedMs: 0,
    now,
  };

  it.each<[string, Record<string, unknown>, readonly string[], readonly string[]]>([
    ['the whole archive', {}, [texts.scope.whole(60)], [texts.scope.older(2000)]],
    [
      'the newest workflows, which do not cover the range',
      { scope: { ...scope, readCount: 500, since: now - 10 * minute } },
      [texts.scope.newest(500, '08:50'), 'Steps before 08:50 are not shown.', texts.scope.older(2000)],
      [],
    ],
    [
      'the maximum number of workflows',
      { scope: { readCount: 10_000, requestedCount: 10_000, since: now - 90 * minute, isTruncated: false } },
      [texts.scope.newest(10_000, '07:30'), 'The page loads no older workflows.'],
      ['Steps before 07:30 are not shown.'],
    ],
    [
      'more steps than the page shows',
      { scope: { ...scope, since: now, isTruncated: true } },
      [texts.scope.cut(maxSteps)],
      [texts.scope.older(2000)],
    ],
    ['no data yet', { scope: { ...scope, requestedCount: 0 } }, [texts.scope.reading], []],
    [
      'no data, with the reason',
      { archive: createWorkcellQuery('refused') },
      ['The archive could not be read: refused.', 'Try again'],
      [],
    ],
    [
      'no marks',
      { marks: createWorkcellQuery('gone') },
      ['Stops, commands and node errors could not be read: gone.'],
      [],
    ],
    ['events of other workcells', { foreignCount: 3 }, [texts.scope.foreign(3)], []],
    [
      'outages in a part of the range',
      { unwatchedMs: 20 * minute },
      ['For 20 min of this span the lab manager didn’t watch the managers: hatched in their lane.'],
      [],
    ],
  ])('is described: %s', (_what, changed, message, absentSentences) => {
    const { page } = mountComponent(ScopeNotes, { ...input, ...changed });
    const text = page.getByRole('main').textContent ?? '';
    for (const sentence of message) expect(text).toContain(sentence);
    for (const sentence of absentSentences) expect(text).not.toContain(sentence);
  });

  it('can be extended', async () => {
    const requests: number[] = [];
    const props = {
      ...input,
      scope: { ...scope, readCount: 500, since: now },
      onLoadOlder: (count: number) => requests.push(count),
    };
    const { page } = mountComponent(ScopeNotes, props);
    await click(page.getByRole('button', { name: texts.scope.older(2000) }));
    expect(requests).toEqual([2000]);
  });
});

it('the table shows the newest steps and the number of all steps', () => {
  const steps = listSteps(
    { layer, texts: textAt, visibleWorkflows: allWorkflowsVisible },
    range,
    now,
    new Set(layer.lanes),
    2,
  );
  const { page } = mountComponent(StepList, { steps, now, getExperimentName: (id: string) => id });
  expect(page.getAllByText(texts.table.scope(2, 3))).toHaveLength(1);
  expect(steps.rows.map(({ lane }) => lane)).toEqual(['arm', 'reader']);
});

it('the table is shown as empty only when it is known that nothing ran', async () => {
  const input = { steps: { rows: [], total: 0 }, now, getExperimentName: (id: string) => id };
  const { page, setProps } = mountComponent(StepList, input);
  expect(page.getAllByText('No step ran in this span.')).toHaveLength(1);
  await setProps({ unread: true });
  expect(
    page.getAllByText('The steps in this span are unknown: the archive of workflows has not been read.'),
  ).toHaveLength(1);
  expect(page.queryByText('No step ran in this span.')).toBeNull();
});

describe('the drawing of the timeline', () => {
  const sizes = { row: 24, padding: 8 };
  const lanes = stackLanes(['arm', 'reader'], layer, sizes, 1);
  const scene: Scene = {
    layer,
    lanes,
    sizes,
    visibleWorkflows: allWorkflowsVisible,
    categories: null,
    getName: () => '',
    marks: [],
    outages: [],
    since: null,
    unwatched: [],
    font: 12,
  };
  const labels = lanes.map(({ key }) => ({ key, name: key, busyShare: '5 %', hint: key }));
  const input = {
    scene,
    labels,
    range,
    now,
    firstStart: now - 500 * minute,
    textAt,
    label: 'Timeline, today',
    maxHeight: 400,
  };

  it('is moved and zoomed by keys', async () => {
    const shownRanges: { from: number; to: number }[] = [];
    const { page } = mountComponent(TimelineCanvas, {
      ...input,
      onShow: (next: { from: number; to: number }) => shownRanges.push(next),
    });
    page.getByRole('group', { name: 'Timeline, today' }).focus();
    for (const key of ['ArrowLeft', '+', '-', 'End', 'Home', 'x']) await press(key);
    const minutes = shownRanges.map(({ from, to }) => [
      Math.round((from - now) / minute),
      Math.round((to - now) / minute),
    ]);
    expect(minutes).toEqual([
      [-66, -6],
      [-30, 0],
      [-120, 0],
      [-60, 0],
      [-500, -440],
    ]);
  });

  it('moves the focus between steps by keys, announces the focused step and opens it', async () => {
    const openedEntries: number[] = [];
    const { page } = mountComponent(TimelineCanvas, { ...input, onOpen: (entry: number) => openedEntries.push(entry) });
    page.getByRole('group', { name: 'Timeline, today' }).focus();
    const message = () => page.getByRole('status').textContent ?? '';
    await press('.');
    expect(message()).toContain('Alpha · Alpha');
    await press('.');
    expect(message()).toContain('Failed, 08:30:00 to 08:40:00, took 10 min');
    expect(page.getByRole('tooltip').textContent).toContain('Beta');
    await press('Enter');
    await press('ArrowDown');
    expect(message()).toContain('Running, since 08:30:00, 30 min so far');
    await press('Enter');
    expect(openedEntries).toEqual([1, 2]);
    await press('Escape');
    expect(message()).toBe('');
  });

  /** The same lab later: an additional first step shifts the indexes of all others. */
  const later = sampleLayer([
    { start: now - 59 * minute, end: now - 58 * minute, owner: 3, step: 0 },
    { start: now - 50 * minute, end: now - 40 * minute, owner: 0, step: 0 },
    { start: now - 35 * minute, end: now - 30 * minute, owner: 1, step: 1, waiting: true },
    { start: now - 30 * minute, end: now - 20 * minute, owner: 1, step: 1, state: 'failed' },
  ]);
  const laterScene: Scene = { ...scene, layer: later, lanes: stackLanes(['arm'], later, sizes, 1) };

  it('keeps the focused step when the layer is rebuilt', async () => {
    const openedEntries: number[] = [];
    const { page, setProps } = mountComponent(TimelineCanvas, {
      ...input,
      onOpen: (entry: number) => openedEntries.push(entry),
    });
    page.getByRole('group', { name: 'Timeline, today' }).focus();
    const message = () => page.getByRole('status').textContent ?? '';
    await press('.');
    await press('.');
    const messageBefore = message();
    await setProps({ scene: laterScene });
    expect(message()).toBe(messageBefore);
    await press('Enter');
    await press(',');
    await press('Enter');
    await setProps({ scene });
    await press('Enter');
    expect(openedEntries).toEqual([3, 1, 0]);
    await setProps({ scene: { ...scene, layer: sampleLayer([]) } });
    expect(message()).toBe('');
  });

  it('updates the tooltip under a resting pointer when the layer is rebuilt', async () => {
    const { page, setProps } = mountComponent(TimelineCanvas, input);
    const track = page.getByRole('group', { name: 'Timeline, today' });
    const clientX = ((60 - 45) / 60) * 900;
    const { top } = lanes[0] ?? { top: 0 };
    fireEvent.pointerMove(track, {
      clientX,
      clientY: axisHeight(scene.font) + top + sizes.row / 2 + sizes.padding / 2,
    });
    await nextTick();
    const text = page.getByRole('tooltip').textContent;
    expect(text).toContain('Alpha');
    await setProps({ scene: laterScene });
    expect(page.getByRole('tooltip').textContent).toBe(text);
    await setProps({ scene: { ...scene, layer: sampleLayer([]) } });
    expect(page.queryByRole('tooltip')).toBeNull();
  });

  it('is not focusable on a wall screen and lists its lanes with their usage', () => {
    const { page } = mountComponent(TimelineCanvas, { ...input, isStatic: true });
    expect(page.getByRole('group', { name: 'Timeline, today' }).hasAttribute('tabindex')).toBe(false);
    expect(page.getAllByRole('listitem').map(({ textContent }) => textContent?.trim())).toEqual([
      'arm5 %',
      'reader5 %',
      ':managers5 %',
    ]);
  });
});
