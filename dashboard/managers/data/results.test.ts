import { describe, expect, it } from 'vitest';
import type { Datapoint } from '../../../api/managers/data.ts';
import { comparisonPlot, meanOf, mostLines, resultOf, resultPlot, resultTable } from './results.ts';

const datapoint = (id: string, label: string, value: unknown, workflow: string, time = '1'): Datapoint => ({
  _id: id,
  data_type: 'json',
  label,
  value,
  data_timestamp: time,
  ownership_info: { workflow_id: workflow },
});
const at = (stamp: string | null | undefined) => (stamp === null || stamp === undefined ? null : Number(stamp));
const of = (...all: Datapoint[]) => all.map((one) => resultOf(one, at));

describe('results of an experiment', () => {
  it('are values where they fit in a cell, lists of numbers for the plot, else something to look at', () => {
    const [number, list, tree, file] = of(
      datapoint('1', 'od', 0.4, 'w'),
      datapoint('2', 'curve', [1, 2, 3], 'w'),
      datapoint('3', 'report', { a: { b: 1 } }, 'w'),
      { _id: '4', data_type: 'file', path: '/x.png' },
    );
    expect(number).toMatchObject({ value: 0.4, series: null });
    expect(list).toMatchObject({ value: null, series: [1, 2, 3] });
    expect(tree).toMatchObject({ value: null, series: null });
    expect(file).toMatchObject({ label: '4', workflow: '', value: null, series: null });
  });

  it('stand side by side: a row a workflow, a column a label', () => {
    const table = resultTable(
      of(
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

  it('are plotted over time, in its order', () => {
    const results = of(
      datapoint('2', 'od', 2, 'b', '20'),
      datapoint('1', 'od', 1, 'a', '10'),
      datapoint('3', 'od', 'lost', 'c', '30'),
    );
    expect(resultPlot(results, 'od', ({ workflow }) => workflow, 'time')).toEqual({
      x: { name: 'time', values: [10, 20] },
      series: [{ name: 'od', values: [1, 2] }],
      times: true,
      lines: 1,
    });
    expect(resultPlot(results, 'volume', ({ workflow }) => workflow, 'time')).toBeNull();
  });

  it('are plotted as a line each where they are lists, the newest of too many', () => {
    const results = of(
      ...Array.from({ length: mostLines + 2 }, (_, index) =>
        datapoint(String(index), 'curve', [index, 1, 2], `w${index}`, String(index)),
      ),
    );
    const plot = resultPlot(results, 'curve', ({ workflow }) => workflow, 'time');
    expect(plot).toMatchObject({ lines: mostLines + 2 });
    expect(plot?.series).toHaveLength(mostLines);
    expect(plot?.series.at(-1)).toEqual({ name: `w${mostLines + 1}`, values: [mostLines + 1, 1, 2] });
  });

  it('are compared over time, a line for each label, or as lists', () => {
    const singles = of(
      datapoint('1', 'pH', 7, 'a', '10'),
      datapoint('2', 'temperature', 37, 'a', '20'),
      datapoint('3', 'pH', 6, 'b', '30'),
    );
    expect(comparisonPlot(singles, ({ id }) => id, 'time')).toMatchObject({
      x: { values: [10, 20, 30] },
      series: [
        { name: 'pH', values: [7, null, 6] },
        { name: 'temperature', values: [null, 37, null] },
      ],
      times: true,
    });
    const lists = of(datapoint('1', 'a', [1, 2, 3], 'w'), datapoint('2', 'b', [3, 2, 1], 'w'));
    expect(comparisonPlot(lists, ({ label }) => label, 'time')?.series.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(comparisonPlot(of(datapoint('1', 'a', 'x', 'w')), ({ id }) => id, 'time')).toBeNull();
  });

  it('have a mean where there are numbers', () => {
    expect(
      meanOf(of(datapoint('1', 'od', 1, 'a'), datapoint('2', 'od', 2, 'b'), datapoint('3', 'od', 'x', 'c'))),
    ).toEqual({
      mean: 1.5,
      count: 2,
    });
    expect(meanOf(of(datapoint('1', 'od', 'x', 'a')))).toBeNull();
  });
});
