/** Every text that the dashboard sends, saves or copies has all digits of the numbers that JavaScript can't hold. */
import { expect, it } from 'vitest';
import { buildRequest } from '../../api/client/request.ts';
import type { JsonObject } from '../../api/client/wire.ts';
import { parseExactJson } from '../../api/exactJson.ts';
import { hostileJson } from '../../api/fixtures/hostileNumbers.ts';
import { resourceApi } from '../../api/managers/resource.ts';
import { workcellApi } from '../../api/managers/workcell.ts';
import { createEntry, readEntry } from '../components/form/entry.ts';
import { fieldsOfParameters } from '../components/form/field.ts';
import { toCopyText } from '../components/json/json.ts';
import { formatCsv } from '../components/table/rows/csv.ts';
import { sampleLocation } from '../fixtures/sampleLocation.ts';
import { sampleResource } from '../fixtures/resourceResponses.ts';
import { readLocationFile, serializeLocations } from '../managers/location/locationFile.ts';
import { createResourceIndex } from '../managers/resource/resourceIndex.ts';
import { toResourceRow } from '../managers/resource/resourceRow.ts';
import { readJson } from '../components/form/jsonText.ts';
import { formatScalar } from '../panels/resources/operations/parseInput.ts';
import { exportedColumns } from '../panels/resources/import/exportedColumns.ts';
import { formatStepYaml } from '../panels/workcells/node/actionFields.ts';
import { readSource } from '../panels/workflows/definition/source.ts';
import { formatDefinition } from '../panels/workflows/submit/drafts/fromWorkflow.ts';

const hostile = parseExactJson(hostileJson) as JsonObject;
const wait = { name: 'wait', action: 'wait', args: hostile };

/** The text after a form was opened with the value and submitted. */
function throughForm(value: unknown): string {
  const [field] = fieldsOfParameters({ json_inputs: [{ key: 'plate', default: value }] });
  if (field === undefined) throw new Error('There is no field');
  const result = readEntry(field.shape, { ...createEntry(field), state: 'given' });
  if (!result.ok) throw new Error(result.problem);
  return toCopyText(result.value);
}

/** The body of a request with a form, as text. */
function formText(body: unknown): string {
  if (!(body instanceof FormData)) throw new Error('The body is no form');
  return String(body.get('json_inputs'));
}

it.each<[string, (value: JsonObject) => string | Promise<string>]>([
  ['a JSON body', (body) => String(buildRequest(resourceApi.endpoints.updateResource, '', { body }, null).body)],
  [
    'a form',
    (json_inputs) =>
      formText(buildRequest(workcellApi.endpoints.startWorkflow, '', { body: { json_inputs } }, null).body),
  ],
  ['Copy value', toCopyText],
  ['the export of locations', (arm) => serializeLocations([sampleLocation('bench', { representations: { arm } })])],
  [
    'an imported location file',
    (arm) => {
      const file = readLocationFile(serializeLocations([sampleLocation('bench', { representations: { arm } })]));
      return file.ok ? toCopyText(file.entries) : '';
    },
  ],
  ['a form with a default', throughForm],
  ['JSON that is edited as text', (value) => toCopyText((readJson(toCopyText(value)) as { value: unknown }).value)],
  ['the YAML of a workflow', () => formatDefinition({ name: 'Exact', steps: [wait] })],
  [
    'a workflow that is read from YAML',
    () => toCopyText(readSource(formatDefinition({ name: 'Exact', steps: [wait] })).value),
  ],
  ['a workflow that is read from JSON', (value) => toCopyText(readSource(toCopyText(value)).value)],
  ['the copied step of an action', (args) => formatStepYaml({ name: 'wait', args })],
  [
    'the CSV file of the resources',
    (attributes) => {
      const row = toResourceRow(structuredClone(sampleResource('A', { attributes })));
      const columns = exportedColumns(createResourceIndex([row])).map(({ title, value }) => ({
        key: title,
        title,
        value,
      }));
      return formatCsv(columns, [row]);
    },
  ],
  ['the CSV cell of one attribute', (value) => Object.values(value).map(formatScalar).join(' ')],
])('%s has all digits', async (_what, write) => {
  const text = await write(hostile);
  for (const number of ['1764304800123456789', '340123450000000018', '0.1000000000000000055', '10.50', '-0.0'])
    expect(text).toContain(number);
  expect(text).toMatch(/ratio\W+1\.0\b|^1764304800123456789 1\.0 /);
  expect(text).toMatch(/1(\.0)?e-07/);
  // No tag is left.
  expect(text).not.toContain('\uFDD0');
});
