/**
 * Numbers that JavaScript can't hold survive everything that reads an object and writes it back. A Python client stores
 * one document in every place; its text at the manager must stay the same to the last digit.
 */
import { expect, it } from 'vitest';
import { parseExactJson, stringifyExactJson } from '#api/exactJson.ts';
import { hostileJson } from '#api/fixtures/hostileNumbers.ts';
import type { JsonObject } from '#api/client/wire.ts';
import type { ManagerKey } from '#api/managers.ts';
import { createEntry, readEntry } from '#dashboard/components/form/entry.ts';
import type { FormField } from '#dashboard/components/form/field.ts';
import { readLocationFile, serializeLocations } from '#dashboard/managers/location/locationFile.ts';
import { saveLocation } from '#dashboard/managers/location/saveLocation.ts';
import { saveEdit } from '#dashboard/managers/resource/saveEdit.ts';
import {
  createSaveTemplateCommand,
  createTemplateFields,
} from '#dashboard/panels/locations/templates/templateKinds.ts';
import { updateTemplateAction } from '#dashboard/panels/resources/templates/templateActions.ts';
import { readScalar } from '#dashboard/components/form/jsonText.ts';
import {
  createTemplateBody,
  formValues,
  toTemplateResource,
} from '#dashboard/panels/resources/templates/templateForm.ts';
import { readSource } from '#dashboard/panels/workflows/definition/source.ts';
import { formatDefinition } from '#dashboard/panels/workflows/submit/drafts/fromWorkflow.ts';
import { data, events, fetchRaw, getId, locations, resources, target, uniqueName, workcell } from './lab.ts';
import { submit, wait } from './workflows.ts';

const hostile = parseExactJson(hostileJson) as JsonObject;

/** Returns the document as the manager serves it, with Python's spelling of the numbers. */
async function readStored(manager: ManagerKey, path: string): Promise<string> {
  const { text } = await fetchRaw(manager, path);
  const start = text.indexOf('{"t_ns"');
  const end = '"text":"1.0"}]}';
  return text.slice(start, text.indexOf(end, start) + end.length);
}

/** Sends JSON as a Python client does, without the clients under test. */
const sendText = (manager: ManagerKey, path: string, body: string) =>
  fetchRaw(manager, path, { method: 'POST', headers: { 'content-type': 'application/json' }, body });

/** The values of a form that was opened with an object and submitted. */
function readForm(fields: readonly FormField[], object: object): Record<string, unknown> {
  const entries = Object.entries(object).flatMap(([name, value]) => {
    const field = fields.find((candidate) => candidate.name === name);
    if (field === undefined || value === null) return [];
    const result = readEntry(field.shape, { ...createEntry({ ...field, default: value as never }), state: 'given' });
    if (!result.ok) throw new Error(`${name}: ${result.problem}`);
    return [[name, result.value] as const];
  });
  return Object.fromEntries(entries);
}

interface Place {
  readonly what: string;
  /** Stores the document and returns where it is read. */
  readonly store: () => Promise<readonly [manager: ManagerKey, path: string]>;
  /** Reads the object with a typed client and writes it back. */
  readonly rewrite: (path: string) => Promise<unknown>;
}

async function storeResource(): Promise<readonly ['resource', string]> {
  const body = `{"base_type":"asset","resource_name":"${uniqueName('exact')}","attributes":${hostileJson}}`;
  const { json } = await sendText('resource', 'resource/add', body);
  return ['resource', `resource/${(json as { resource_id: string }).resource_id}`];
}
const readResource = (path: string) => resources.getResource({ resource_id: path.slice('resource/'.length) });

async function storeLocation(): Promise<readonly ['location', string]> {
  const name = uniqueName('exact');
  await sendText('location', 'location', `{"location_name":"${name}","representations":{"arm":${hostileJson}}}`);
  return ['location', `location?name=${name}`];
}
const readLocation = (path: string) => locations.findLocation({ name: path.slice('location?name='.length) });

/** Stores a resource and a template that is made from it, as the page does. */
async function storeTemplate(): Promise<readonly ['resource', string]> {
  const [, path] = await storeResource();
  const template_name = uniqueName('exact');
  const body = createTemplateBody({ template_name }, toTemplateResource(await readResource(path)));
  await resources.createTemplate({ body });
  // The demo lab serves no single template.
  return ['resource', `templates/query_all?name=${template_name}`];
}

const places: readonly Place[] = [
  {
    what: 'the attributes of a resource whose description is edited',
    store: storeResource,
    rewrite: async (path) =>
      saveEdit(resources, {
        initialResource: await readResource(path),
        edit: { fields: { resource_description: 'edited' }, attributes: {} },
        holder: 'exact numbers',
        accepted: [],
      }),
  },
  {
    what: 'the attributes of a resource with another attribute',
    store: storeResource,
    rewrite: async (path) =>
      saveEdit(resources, {
        initialResource: await readResource(path),
        edit: { fields: {}, attributes: { low_mark: 5 } },
        holder: 'exact numbers',
        accepted: [],
      }),
  },
  {
    what: 'the representations of a location whose description is edited',
    store: storeLocation,
    rewrite: async (path) =>
      saveLocation(locations, {
        initialLocation: await readLocation(path),
        edit: { description: 'edited' },
        acceptedConflicts: [],
        version: '0.8',
      }),
  },
  {
    what: 'the representations of a location that is exported and imported',
    store: storeLocation,
    rewrite: async (path) => {
      const file = readLocationFile(serializeLocations([await readLocation(path)]));
      if (!file.ok) throw new Error('The exported file cannot be read');
      return locations.importLocations({ overwrite: true, body: [...file.entries] as never });
    },
  },
  {
    what: 'the attributes of a resource template that is made from a resource and edited',
    store: storeTemplate,
    rewrite: async (path) => {
      const template = (await resources.getTemplates()).find(({ template_name }) => path.endsWith(`=${template_name}`));
      if (template === undefined) throw new Error('The template is not listed');
      const values = { ...formValues(template).args, description: 'edited' };
      return updateTemplateAction(() => resources, template, values).run(resources);
    },
  },
  {
    what: 'the default values of a representation template that is saved as a new version',
    store: async () => {
      const template_name = uniqueName('exact');
      const defaults = `"default_values":${hostileJson}`;
      await sendText('location', 'representation_template', `{"template_name":"${template_name}",${defaults}}`);
      return ['location', `representation_template/${template_name}`];
    },
    rewrite: async (path) => {
      const template_name = path.slice('representation_template/'.length);
      const template = await locations.getRepresentationTemplate({ template_name });
      const fields = createTemplateFields('representation', false);
      const values = readForm(fields, { ...template, version: '9.0.0' });
      return createSaveTemplateCommand(() => locations, 'representation', values, template).run(locations);
    },
  },
  {
    what: 'a JSON datapoint that is stored again',
    store: async () => {
      const form = new FormData();
      form.append('datapoint', `{"label":"${uniqueName('exact')}","data_type":"json","value":${hostileJson}}`);
      const { json } = await fetchRaw('data', 'datapoint', { method: 'POST', body: form });
      return ['data', `datapoint/${getId(json as { _id: string })}`];
    },
    rewrite: async (path) => {
      const { value } = await data.getDatapoint({ datapoint_id: path.slice('datapoint/'.length) });
      const again = await data.addDatapoint({ body: { datapoint: { label: 'again', data_type: 'json', value } } });
      expect(await readStored('data', `datapoint/${getId(again)}`)).toBe(await readStored('data', path));
    },
  },
  {
    what: 'the data of an event that is stored again',
    store: async () => {
      const { json } = await sendText('event', 'event', `{"event_type":"test","event_data":${hostileJson}}`);
      return ['event', `event/${getId(json as { _id: string })}`];
    },
    rewrite: async (path) => {
      const { event_data } = await events.getEvent({ event_id: path.slice('event/'.length) });
      const again = await events.addEvent({ body: { event_type: 'test', event_data } });
      expect(await readStored('event', `event/${getId(again)}`)).toBe(await readStored('event', path));
    },
  },
  {
    what: 'the parameters of a workflow that is submitted again',
    store: async () => {
      const { workflow_id } = await submit([wait(0)], { start: { json_inputs: hostile } });
      return ['workcell', `workflow/${workflow_id}`];
    },
    rewrite: async (path) => {
      const { parameter_values } = await workcell.getWorkflow({ workflow_id: path.slice('workflow/'.length) });
      const again = await submit([wait(0)], { start: { json_inputs: parameter_values ?? {} } });
      expect(await readStored('workcell', `workflow/${again.workflow_id}`)).toBe(await readStored('workcell', path));
    },
  },
  {
    what: 'the arguments of a step whose workflow is edited as text and submitted again',
    store: async () => {
      const { workflow_id } = await submit([{ ...wait(0), args: { seconds: 0, plate: hostile } }]);
      return ['workcell', `workflow/${workflow_id}`];
    },
    rewrite: async (path) => {
      const { name, steps } = await workcell.getWorkflow({ workflow_id: path.slice('workflow/'.length) });
      const { value } = readSource(formatDefinition({ name, steps: steps.map(({ args }) => ({ ...wait(0), args })) }));
      const again = await submit((value as { steps: ReturnType<typeof wait>[] }).steps);
      expect(await readStored('workcell', `workflow/${again.workflow_id}`)).toBe(await readStored('workcell', path));
    },
  },
  {
    what: 'the default of a parameter in a workflow definition that is stored again',
    store: async () => {
      const parameters = { json_inputs: [{ key: 'plate', default: hostile }] };
      const id = await workcell.addWorkflowDefinition({ body: { name: 'Exact', parameters, steps: [wait(0)] } });
      return ['workcell', `workflow_definition/${id}`];
    },
    rewrite: async (path) => {
      const workflow_definition_id = path.slice('workflow_definition/'.length);
      const { name, parameters, steps } = await workcell.getWorkflowDefinition({ workflow_definition_id });
      const id = await workcell.addWorkflowDefinition({ body: { name, parameters, steps } as never });
      expect(await readStored('workcell', `workflow_definition/${id}`)).toBe(await readStored('workcell', path));
    },
  },
];

it.each(places)('all digits survive in $what', async ({ store, rewrite }) => {
  const [manager, path] = await store();
  const before = await readStored(manager, path);
  for (const number of ['1764304800123456789', '340123450000000018', '"ratio":1.0', '-0.0', '1e-07', '2.0'])
    expect(before).toContain(number);
  await rewrite(path);
  expect(await readStored(manager, path)).toBe(before);
});

it.each([
  ['1e15', '7e15'],
  ['0.30000000000000004', '1.7976931348623157e308'],
  ['-0.0', '123456789012345.67'],
])('the quantity %s of a resource survives an edit of its description', async (quantity, capacity) => {
  const amounts = `"quantity":${quantity},"capacity":${capacity}`;
  const body = `{"base_type":"continuous_consumable","resource_name":"${uniqueName('exact')}",${amounts}}`;
  const { json } = await sendText('resource', 'resource/add', body);
  const path = `resource/${(json as { resource_id: string }).resource_id}`;
  const readAmounts = async () => (await fetchRaw('resource', path)).text.match(/"(?:quantity|capacity)":[^,}]+/g);
  const before = await readAmounts();
  expect(before).toHaveLength(2);
  await saveEdit(resources, {
    initialResource: await readResource(path),
    edit: { fields: { resource_description: 'edited' }, attributes: {} },
    holder: 'exact numbers',
    accepted: [],
  });
  expect(await readAmounts()).toEqual(before);
});

it.each(['2.0', '-0.0', 'null', '1764304800123456790', '9007199254740993', '"007"', '1e-07'])(
  'the typed attribute %s is stored as typed',
  async (text) => {
    const [, path] = await storeResource();
    const typed = readScalar(text.replaceAll('"', ''));
    await saveEdit(resources, {
      initialResource: await readResource(path),
      edit: { fields: {}, attributes: { typed: typed.ok ? typed.value : typed.problem } },
      holder: 'exact numbers',
      accepted: [],
    });
    expect((await fetchRaw('resource', path)).text).toContain(`"typed":${text}`);
  },
);

it('a list of resources keeps all digits', async () => {
  const [, path] = await storeResource();
  const body = { resource_id: path.slice('resource/'.length) };
  const [listed] = await resources.queryResources({ body });
  expect(stringifyExactJson(listed?.attributes)).toBe(`${await readStored('resource', path)}}`);
});

// The demo lab's documents are JavaScript values, in which a key can't occur twice either.
it.runIf(target.kind === 'real')('a manager that receives a key twice stores only one of its values', async () => {
  const body = `{"base_type":"asset","resource_name":"${uniqueName('twice')}","attributes":{"a":1,"a":2}}`;
  const { text } = await sendText('resource', 'resource/add', body);
  expect(text).toContain('"attributes":{"a":2}');
});
