import { describe, expect, it } from 'vitest';
import type { Datapoint } from '#api/managers/data.ts';
import { toDataRow, createDataColumns, type DataRow } from './rows.ts';
import { dataPanelTexts as texts } from './texts.ts';
import { formatCsv } from '../../components/table/rows/csv.ts';
import { shortId } from '../../base/objectPages.ts';
import { getCellText } from '../../components/table/rows/tableRows.ts';

const row = (overrides: Partial<Datapoint>) =>
  toDataRow(
    { _id: 'D', data_type: 'json', ...overrides },
    () => 5,
    (workflow) => (workflow === 'V' ? 'Y' : ''),
  );

describe('the row of a datapoint', () => {
  it.each([
    [0.25, '0.25'],
    ['fine', 'fine'],
    [[1, 2, 3, 4], texts.values(4)],
    [{ a: { b: 1 } }, '{"a":{"b":1}}'],
    ['x'.repeat(500), `${'x'.repeat(80)}…`],
  ])('shows the value %j in one line', (value, text) => {
    expect(row({ value }).value).toBe(text);
  });

  it('shows the size of a file instead of a value', () => {
    expect(row({ data_type: 'file', path: '/a.csv', size_bytes: 12 })).toMatchObject({ value: '', size: 12 });
  });

  it('shows the known origin of the datapoint, its ID if it has no label, and an unknown type unchanged', () => {
    expect(row({ label: 'od', ownership_info: { workflow_id: 'W', experiment_id: 'X' } })).toMatchObject({
      label: 'od',
      at: 5,
      workflow: 'W',
      experiment: 'X',
      node: '',
    });
    // Datapoints of a step contain only the ID of their workflow, by which the experiment is found.
    expect(row({ ownership_info: { workflow_id: 'V' } })).toMatchObject({ workflow: 'V', experiment: 'Y' });
    expect(row({})).toMatchObject({ label: 'D', workflow: '' });
    expect(row({ data_type: 'of a later version' }).type).toBe('of a later version');
  });
});

const id = '01M7YEZGAZMTTE3RWYNVGA29Z5';
const columnRow: DataRow = {
  id: 'D',
  label: 'od',
  type: 'JSON',
  value: '1',
  json: 1,
  size: null,
  at: null,
  stamp: '',
  workflow: id,
  experiment: '',
  node: '',
};
const createColumns = (name: string) =>
  createDataColumns(
    0,
    () => '',
    () => name,
  );
const getWorkflowText = (name: string) => {
  const column = createColumns(name).find(({ key }) => key === 'workflow');
  return column && getCellText(column, columnRow);
};

it('the workflow column shows the name of a workflow, or the end of its ID if the name is unknown', () => {
  expect(getWorkflowText('Growth assay')).toBe('Growth assay');
  expect(getWorkflowText('')).toBe('…GA29Z5');
});

it.each([
  ['x'.repeat(500), 'x'.repeat(500)],
  [
    { text: 'x'.repeat(500), n: '\uFDD01764304800123456789' },
    `"{""text"":""${'x'.repeat(500)}"",""n"":1764304800123456789}"`,
  ],
  [[1, 2, 3, 4], '"[1,2,3,4]"'],
  [0.1, '0.1'],
])('the CSV file contains the whole value %#', (value, cell) => {
  expect(formatCsv(createColumns(''), [row({ label: 'od', value })])).toContain(`\r\nod,JSON,${cell},`);
});

it('the CSV file contains the ID of an experiment without a known name', () => {
  const columns = createDataColumns(0, shortId, () => '');
  expect(formatCsv(columns, [{ ...columnRow, experiment: id, workflow: '' }])).toContain(`,${id},D`);
});

it('the CSV file contains name and ID of the workflow', () => {
  expect(formatCsv(createColumns('Growth assay'), [columnRow])).toContain(`Growth assay,${id}`);
});
