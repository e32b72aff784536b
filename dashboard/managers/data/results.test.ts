import { describe, expect, it } from 'vitest';
import type { Datapoint } from '#api/managers/data.ts';
import { formatTimeSeconds } from '../../base/time.ts';
import { sampleStep } from '../../fixtures/sampleWorkflow.ts';
import { distinctNames, findOriginNode, originNames } from './originNames.ts';
import { computeMean, maxLines, toResult, buildResultPlot, buildResultTable, type Result } from './results.ts';

const datapoint = (id: string, label: string, value: unknown, workflow: string, time = '1'): Datapoint => ({
  _id: id,
  data_type: 'json',
  label,
  value,
  data_timestamp: time,
  ownership_info: { workflow_id: workflow },
});
const parseStamp = (stamp: string | null | undefined) => (stamp === null || stamp === undefined ? null : Number(stamp));
const toResults = (...all: Datapoint[]) => all.map((record) => toResult(record, parseStamp));

describe('the results of an experiment', () => {
  it('are single values, lists of numbers for the plot, or links', () => {
    const [number, list, tree, file] = toResults(
      datapoint('1', 'od', 0.4, 'w'),
      datapoint('2', 'curve', [1, 2, 3], 'w'),
      datapoint('3', 'report', { a: { b: 1 } }, 'w'),
      { _id: '4', data_type: 'file', path: '/x.png' },
    );
    expect(number).toMatchObject({ value: 0.4, lines: [] });
    expect(list).toMatchObject({ value: null, lines: [{ name: '', x: null, values: [1, 2, 3] }] });
    expect(tree).toMatchObject({ value: null, lines: [] });
    expect(file).toMatchObject({ label: '4', workflow: '', value: null, lines: [] });
  });

  it('form a table with one row for each workflow and one column for each label', () => {
    const table = buildResultTable(
      toResults(
        datapoint('3', 'od', 3, 'second', '30'),
        datapoint('1', 'od', 1, 'first', '10'),
        datapoint('2', 'volume', 5, 'first', '20'),
        datapoint('4', 'od', 4, 'second', '40'),
      ),
    );
    expect(table.labels).toEqual(['od', 'volume']);
    expect(table.rows.map(({ workflow, cells }) => [workflow, cells['od']?.map(({ value }) => value)])).toEqual([
      ['first', [1]],
      ['second', [3, 4]],
    ]);
  });

  const options = {
    getName: ({ workflow }: Result) => workflow,
    getGroup: ({ label }: Result) => label,
    xName: 'time',
  };

  it('are plotted over time in order', () => {
    const results = toResults(
      datapoint('2', 'od', 2, 'b', '20'),
      datapoint('1', 'od', 1, 'a', '10'),
      datapoint('3', 'od', 'lost', 'c', '30'),
    );
    expect(buildResultPlot(results, options)).toEqual({
      x: { name: 'time', values: [] },
      series: [{ name: 'od', x: [10, 20], values: [1, 2] }],
      hasTimeAxis: true,
      lineCount: 1,
    });
    expect(buildResultPlot([], options)).toBeNull();
  });

  it('are plotted over the time since the start of their run, unless a start is unknown', () => {
    const hour = 3_600_000;
    const results = toResults(
      datapoint('1', 'od', 1, 'a', String(hour)),
      datapoint('2', 'od', 2, 'b', String(49 * hour)),
      datapoint('3', 'od', 3, 'b', String(49.5 * hour)),
    );
    const starts: Readonly<Record<string, number>> = { a: 0, b: 48 * hour };
    const byRun = {
      ...options,
      getGroup: ({ workflow }: Result) => workflow,
      sinceStart: {
        getStart: ({ workflow }: Result) => starts[workflow] ?? null,
        axisNames: { minutes: 'minutes', hours: 'hours' },
      },
    };
    expect(buildResultPlot(results, byRun)).toMatchObject({
      x: { name: 'minutes' },
      series: [
        { name: 'a', x: [60] },
        { name: 'b', x: [60, 90] },
      ],
      hasTimeAxis: false,
    });
    expect(buildResultPlot([...results, ...toResults(datapoint('4', 'od', 4, 'unknown', '5'))], byRun)).toMatchObject({
      x: { name: 'time' },
      hasTimeAxis: true,
    });
  });

  it('are plotted as one line for each list, up to a limit of the newest ones', () => {
    const results = toResults(
      ...Array.from({ length: maxLines + 2 }, (_, index) =>
        datapoint(String(index), 'curve', [index, 1, 2], `w${index}`, String(index)),
      ),
    );
    const plot = buildResultPlot(results, options);
    expect(plot).toMatchObject({ lineCount: maxLines + 2 });
    expect(plot?.series).toHaveLength(maxLines);
    expect(plot?.series.at(-1)).toEqual({ name: `w${maxLines + 1}`, values: [maxLines + 1, 1, 2] });
  });

  it('include every group in the plot when one group exceeds the limit', () => {
    const manyResults = Array.from({ length: maxLines + 2 }, (_, index) =>
      datapoint(`new ${index}`, 'curve', [index, 1, 2], 'many', String(10 + index)),
    );
    const results = toResults(datapoint('old', 'curve', [9, 9, 9], 'few', '1'), ...manyResults);
    const byWorkflow = { ...options, getGroup: ({ workflow }: Result) => workflow };
    const names = buildResultPlot(results, byWorkflow)?.series.map(({ name }) => name);
    expect(names).toEqual(['few', ...Array.from({ length: maxLines - 1 }, () => 'many')]);
  });

  it('are overlaid over their own x values with their gaps', () => {
    const results = toResults(
      datapoint('1', 'growth', { time: [0, 1, 2], od: [1, null, 3] }, 'a'),
      datapoint('2', 'growth', { time: [0, 5, 9], od: [2, 2, 2] }, 'b'),
    );
    expect(buildResultPlot(results, options)).toEqual({
      x: { name: 'time', values: [] },
      series: [
        { name: 'a: od', x: [0, 1, 2], values: [1, null, 3] },
        { name: 'b: od', x: [0, 5, 9], values: [2, 2, 2] },
      ],
      hasTimeAxis: false,
      lineCount: 2,
    });
  });

  it('are plotted when they are nested among other values', () => {
    const [read] = toResults(datapoint('1', 'read', { run: { spectrum: [1, 2, 3] }, unit: 'AU' }, 'a'));
    expect(read?.lines).toEqual([{ name: 'spectrum', x: null, values: [1, 2, 3] }]);
  });

  it('are plotted as one line for each group of single numbers', () => {
    const singles = toResults(
      datapoint('1', 'pH', 7, 'a', '10'),
      datapoint('2', 'temperature', 37, 'a', '20'),
      datapoint('3', 'pH', 6, 'b', '30'),
    );
    expect(buildResultPlot(singles, options)?.series).toEqual([
      { name: 'pH', x: [10, 30], values: [7, 6] },
      { name: 'temperature', x: [20], values: [37] },
    ]);
    expect(buildResultPlot(toResults(datapoint('1', 'a', 'x', 'w')), options)).toBeNull();
  });

  it('are named by experiment, node and time, and by label where labels differ', () => {
    const now = Date.UTC(2026, 10, 23, 12);
    const [first, second] = toResults(
      datapoint('1', 'od', 1, 'w', String(now)),
      datapoint('2', 'od', 1, 'w', String(now + 1000)),
    );
    const lookup = { experimentName: () => 'Growth', nodeName: () => 'reader' };
    const names = [...originNames([first!, second!], lookup, now).values()];
    expect(names[0]).toBe(`Growth, reader, ${formatTimeSeconds(now, now)}`);
    expect(new Set(names).size).toBe(2);
    const others = toResults(datapoint('3', 'pH', 1, 'w', String(now)));
    expect(originNames([first!, ...others], lookup, now).get('3')).toMatch(/^pH, Growth, reader, /);
  });

  it('are attributed to the node whose step stored them', () => {
    const steps = [
      sampleStep({ step_id: 'read', node: 'reader' }),
      sampleStep({
        step_id: 'mix',
        node: 'mixer',
        result: { action_id: 'a', status: 'succeeded', datapoints: { od: '2' } },
      }),
    ];
    expect(findOriginNode({ steps }, { step: 'read', id: '1' })).toBe('reader');
    expect(findOriginNode({ steps }, { step: '', id: '2' })).toBe('mixer');
    expect(findOriginNode(null, { step: 'read', id: '1' })).toBe('');
  });

  it('have a mean when they are numbers', () => {
    expect(
      computeMean(
        toResults(datapoint('1', 'od', 1, 'a'), datapoint('2', 'od', 2, 'b'), datapoint('3', 'od', 'x', 'c')),
      ),
    ).toEqual({
      mean: 1.5,
      count: 2,
    });
    expect(computeMean(toResults(datapoint('1', 'od', 'x', 'a')))).toBeNull();
  });
});

it('distinctNames adds the time to datapoints with the same label and the same name of their workflow', () => {
  const results = toResults(
    datapoint('1', 'curve', [1, 2, 3], 'a', '2026-11-21T12:00:00'),
    datapoint('2', 'curve', [1, 2, 3], 'b', '2026-11-21T13:30:00'),
    datapoint('3', 'od', 1, 'b', '2026-11-21T13:31:00'),
  ).map((result, index) => ({ ...result, storedAt: new Date(2026, 10, 21, 12, index).getTime() }));
  const names = distinctNames(results, () => 'Growth curve', new Date(2026, 10, 21, 14).getTime());
  expect([...names.values()]).toEqual(['Growth curve, 12:00', 'Growth curve, 12:01', 'Growth curve']);
});
