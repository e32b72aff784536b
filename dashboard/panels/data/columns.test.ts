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

it('the workflow column shows the name of a workflow, or the end of an unknown ID', () => {
  expect(workflowOf('Growth assay')).toBe('Growth assay');
  expect(workflowOf('')).toBe('…GA29Z5');
});

it('the CSV file contains name and ID of the workflow', () => {
  expect(csvOf(columnsWith('Growth assay'), [row])).toContain(`Growth assay,${id}`);
});
