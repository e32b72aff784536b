import { expect, it } from 'vitest';
import { csvOf } from '../../components/table/rows/csv.ts';
import { cellText } from '../../components/table/rows/tableRows.ts';
import { dataColumns } from './columns.ts';
import type { DataRow } from './rows.ts';

const id = '01M7YEZGAZMTTE3RWYNVGA29Z5';
const row: DataRow = {
  id: 'D',
  label: 'od',
  type: 'JSON',
  value: '1',
  size: null,
  at: null,
  workflow: id,
  experiment: '',
  node: '',
};
const columnsWith = (name: string) =>
  dataColumns(
    0,
    () => '',
    () => name,
  );
const workflowOf = (name: string) => {
  const column = columnsWith(name).find(({ key }) => key === 'workflow');
  return column && cellText(column, row);
};

it('names the workflow of a datapoint, and shortens the ID of an unknown one', () => {
  expect(workflowOf('Growth assay')).toBe('Growth assay');
  expect(workflowOf('')).toBe('…GA29Z5');
});

it('saves the name and the ID of the workflow', () => {
  expect(csvOf(columnsWith('Growth assay'), [row])).toContain(`Growth assay,${id}`);
});
