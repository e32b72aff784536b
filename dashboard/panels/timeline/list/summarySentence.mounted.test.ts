import { describe, expect, it } from 'vitest';
import { workflowAppearances } from '#api/states.ts';
import { mountComponent } from '#dashboard/fixtures/mounted.ts';
import { filtersFromQuery } from '../layer/filters.ts';
import { timelineTexts as texts } from '../texts.ts';
import { describeFilters, type Summary } from './summary.ts';
import SummarySentence from './SummarySentence.vue';

const now = new Date(2026, 10, 22, 9).getTime();
const minute = 60_000;
const range = { from: now - 60 * minute, to: now };

describe('the summary sentence', () => {
  const summary: Summary = {
    completed: 3,
    failed: 0,
    cancelled: 0,
    running: 1,
    longestWait: { entry: 0, ms: 2 * minute },
    nodeErrors: 0,
    stops: 0,
    outages: [
      { name: 'Data Manager', ms: 5 * minute },
      { name: 'Event Manager', ms: 4 * minute },
    ],
    nodeOutages: [],
  };
  const summarizedSpan = {
    summary,
    wait: { step: 'Read', workflow: 'Growth' },
    range,
    readSince: null,
    unwatchedMs: 0,
    hasReadWorkflows: true,
    hasReadMarks: true,
    now,
  };
  const input = { summarizedSpan, title: '22 Nov 08:00 – 09:00', selection: ['1 h'] };

  it('is announced when a count or a filter changes, not every minute', async () => {
    const { page, setProps } = mountComponent(SummarySentence, input);
    const message = () => page.getByRole('status').textContent;
    const messageBefore = message();
    expect(messageBefore).toContain(texts.summary.completed(3));
    const changes: unknown[] = [];
    const observer = new MutationObserver((records) => changes.push(...records));
    observer.observe(page.getByRole('status'), { childList: true, characterData: true, subtree: true });
    const grown = {
      ...summary,
      longestWait: { entry: 0, ms: 3 * minute },
      // The longest is the first.
      outages: [
        { name: 'Event Manager', ms: 6 * minute },
        { name: 'Data Manager', ms: 5 * minute },
      ],
    };
    await setProps({
      summarizedSpan: { ...summarizedSpan, summary: grown, now: now + minute },
      title: '22 Nov 08:01 – 09:01',
    });
    expect(page.getByText(/longest wait 3 min/).textContent).toContain('09:01');
    expect(message()).toBe(messageBefore);
    expect(observer.takeRecords()).toEqual([]);
    expect(changes).toEqual([]);
    observer.disconnect();
    await setProps({ summarizedSpan: { ...summarizedSpan, summary: { ...grown, failed: 1 } } });
    expect(message()).toContain(texts.summary.failed(1));
    const filters = describeFilters(
      filtersFromQuery({ node: 'arm', outcome: 'failed', experiment: 'E1' }),
      () => 'Salt',
    );
    await setProps({ selection: ['1 h', ...filters] });
    expect(message()).toContain(`1 h, Node: arm, Experiment: Salt, Outcome: ${workflowAppearances.failed.label}.`);
  });
});
