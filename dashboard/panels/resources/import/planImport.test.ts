import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Resource, ResourceTemplate } from '#api/managers/resourceTypes.ts';
import { parseExactJson, stringifyExactJson } from '#api/exactJson.ts';
import { readCsv } from '#dashboard/components/csv/readCsv.ts';
import { formatCsv } from '#dashboard/components/table/rows/csv.ts';
import { noResources, createResourceIndex, type ResourceIndex } from '#dashboard/managers/resource/resourceIndex.ts';
import { toResourceRows } from '#dashboard/managers/resource/resourceRow.ts';
import { resourceColumns } from '../columns.ts';
import { isUlid } from '#dashboard/base/objectPages.ts';
import { deriveId, readLine, readType } from './fileLine.ts';
import {
  toAttributeName,
  normalizeHeadings,
  recognizeColumns,
  findUnusedColumns,
  findDuplicateUses,
  extractHeadingUnit,
} from './mapping.ts';
import { planImport, type ImportLine } from './planImport.ts';
import { sortForExecution } from './importLine.ts';
import { readScalar } from '#dashboard/components/form/jsonText.ts';
import { schemaFormTexts } from '#dashboard/components/form/texts.ts';
import { resourcesTexts } from '../texts.ts';
import { importTexts } from './texts.ts';

const texts = importTexts.problems;
const id = (name: string) => deriveId(['test', name]);
const createResource = (name: string, overrides: Partial<Resource> = {}): Resource => ({
  resource_id: id(name),
  resource_name: name,
  base_type: 'asset',
  ...overrides,
});
/** Adds parent and key to all children, as the manager does. */
function placeChildren(parent: Resource): Resource {
  const place = (child: Resource, key: string): Resource =>
    placeChildren({ ...child, parent_id: parent.resource_id, key });
  const { children } = parent;
  if (Array.isArray(children))
    return {
      ...parent,
      children: children.map((child, position) => (child === null ? null : place(child, String(position)))),
    };
  if (children === null || children === undefined) return parent;
  return {
    ...parent,
    children: Object.fromEntries(Object.entries(children).map(([key, child]) => [key, place(child, key)])),
  };
}
const createLab = (...resources: Resource[]): ResourceIndex =>
  createResourceIndex(toResourceRows(resources.map(placeChildren)));
const line = (name: string, children: (Resource | null)[]) =>
  createResource(name, { base_type: 'row', columns: children.length, children });
const tube = (name: string, quantity = 1) =>
  createResource(name, { base_type: 'continuous_consumable', quantity, capacity: 2, attributes: { unit: 'ml' } });
const plate = createResource('plate', {
  base_type: 'grid',
  rows: 2,
  columns: 2,
  children: [line('plate_r0', [tube('held'), null]), line('plate_r1', [null, null])],
});
const template = {
  template_name: 'bottle',
  resource_name: 'b',
  base_type: 'continuous_consumable',
  required_overrides: ['attributes.lot'],
  default_values: { quantity: 5, capacity: 10, attributes: { unit: 'ml' } },
} as unknown as ResourceTemplate;

function plan(
  csv: string | Uint8Array,
  index: ResourceIndex,
  { templates = [] as ResourceTemplate[], defaultType = null as string | null } = {},
): readonly ImportLine[] {
  const result = readCsv(typeof csv === 'string' ? new TextEncoder().encode(csv) : csv);
  if (!result.ok) throw new Error(result.problem);
  const { headings, records, problems, separator } = result.file;
  const uses = recognizeColumns(headings);
  const lines = records.map((record) =>
    readLine(record, headings, uses, { problem: problems.get(record.number), separator }),
  );
  return planImport(lines, { index, templates, defaultType });
}
const listStatuses = (lines: readonly ImportLine[]) => lines.map(({ status }) => status);
const listMessages = (lines: readonly ImportLine[]) => lines.map(({ status, text }) => [status, text]);

describe('the unit in a heading', () => {
  it('is stored as the attribute “unit” of a new resource, as the preview shows', () => {
    const [first] = plan('Name,Type,Volume (µl)\nbroth,continuous_consumable,5\n', createLab());
    expect(first?.add?.body).toMatchObject({ quantity: 5, attributes: { unit: 'µl' } });
    // MADSci 0.8.1 ignores the field `unit`.
    expect(first?.add?.body).not.toHaveProperty('unit');
    expect(first?.text).toBe('Continuous consumable, in µl (attribute “unit”)');
  });

  it('is stored with the other attributes of the line and of the template', () => {
    const header = 'Name,Template,Volume (mL),attributes.lot\n';
    const [first] = plan(`${header}b,bottle,3,L 1\n`, createLab(), { templates: [template] });
    expect(first?.add?.body.attributes).toEqual({ unit: 'ml', lot: 'L 1' });
    const planWithoutTemplate = plan('Name,Type,Amount (g),attributes.lot\nsalt,consumable,3,7\n', createLab());
    expect(planWithoutTemplate[0]?.add?.body.attributes).toEqual({ unit: 'g', lot: 7 });
  });

  it('is rejected when the attribute “unit” of the line or of the template differs', () => {
    const planned = plan('Name,Type,Volume (µl),attributes.unit\nb,consumable,3,ml\n', createLab());
    expect(listMessages(planned)).toEqual([['invalid', texts.otherUnit('µl', 'ml')]]);
    const header = 'Name,Template,Volume (µl),attributes.lot\n';
    expect(listMessages(plan(`${header}b,bottle,3,L 1\n`, createLab(), { templates: [template] }))).toEqual([
      ['invalid', texts.otherUnit('µl', 'ml')],
    ]);
  });

  it('is not stored with a container', () => {
    const [rack] = plan('Name,Type,Capacity (pcs)\nrack,collection,4\n', createLab());
    expect(rack).toMatchObject({ status: 'new', text: 'Collection' });
    expect(rack?.add?.body.attributes).toBeUndefined();
  });

  it('is compared with the unit of the resource', () => {
    const index = createLab(tube('a'), { ...tube('bare'), attributes: {} });
    const lines = plan('Name,Volume [µl]\na,2\nbare,2\n', index);
    expect(listStatuses(lines)).toEqual(['invalid', 'changed']);
    expect(lines[0]?.text).toBe(importTexts.problems.otherUnit('µl', 'ml'));
    expect(lines[1]?.text).toContain('The unit “µl” is not stored: the resource has none.');
    expect(listStatuses(plan('Name,Volume_mL\na,2\n', index))).toEqual(['changed']);
    expect(listStatuses(plan('Name,Volume\na,2\n', index))).toEqual(['changed']);
  });

  it.each([
    ['Volume (µl)', 'Capacity (ml)', '1500,2'],
    ['Quantity (ml)', 'Capacity (µl)', '1.5,2000'],
  ])('is rejected if quantity and capacity differ: %s with %s', (quantity, capacity, cells) => {
    const header = `Name,Type,${quantity},${capacity}\n`;
    const text = `The quantity is in ${extractHeadingUnit(quantity) ?? ''}, the capacity in ${extractHeadingUnit(capacity) ?? ''}. Convert one of the columns, and name the same unit in both headings.`;
    for (const lab of [
      createLab(),
      createLab(createResource('tube', { base_type: 'continuous_consumable', quantity: 1 })),
    ])
      expect(listMessages(plan(`${header}tube,continuous_consumable,${cells}\n`, lab))).toEqual([['invalid', text]]);
    expect(listStatuses(plan(`${header}tube,continuous_consumable,1,\n`, createLab()))).toEqual(['new']);
  });

  it('is accepted in different spellings for quantity and capacity', () => {
    const [first] = plan('Name,Type,Volume (uL),Capacity (µl)\na,continuous_consumable,5,9\n', createLab());
    expect(first?.add?.body).toMatchObject({ quantity: 5, capacity: 9 });
  });

  it('is rejected for a capacity if it differs from the unit of the resource', () => {
    expect(listMessages(plan('Name,Capacity (µl)\na,2000\n', createLab(tube('a'))))).toEqual([
      ['invalid', texts.otherUnit('µl', 'ml')],
    ]);
  });

  it.each([
    ['Volume (µl)', 'µl'],
    ['Volume in uL', 'uL'],
    ['Volume_ul', 'ul'],
    ['Volume', null],
    ['lot (attribute)', null],
  ])('is read from %j as %j', (heading, unit) => {
    expect(extractHeadingUnit(heading)).toBe(unit);
  });
});

describe('a line of a file', () => {
  it('is planned as new, existing or changed', () => {
    const index = createLab(tube('a'), tube('b'));
    const lines = plan('Name,Type,Quantity,lot (attribute)\na,,1,\nb,,1.5,L7\nc,Continuous consumable,0.5,8\n', index);
    expect(listMessages(lines)).toEqual([
      ['existing', ''],
      [
        'changed',
        [importTexts.differs('lot', importTexts.nothingSet, 'L7'), importTexts.differs('Quantity', '1', '1.5')].join(
          '; ',
        ),
      ],
      ['new', 'Continuous consumable'],
    ]);
    expect(lines[2]?.add?.body).toMatchObject({
      base_type: 'continuous_consumable',
      quantity: 0.5,
      attributes: { lot: 8 },
    });
  });

  it.each([
    ['Name,Type\n,Asset\n', 'It has no name.'],
    ['Name\nx\n', 'It has neither a type nor a template.'],
    ['Name,Type\nx,Spoon\n', '“Spoon” is not a type of resource.'],
    ['Name,Type,Quantity\nx,consumable,much\n', texts.number('Quantity', 'much', false)],
    ['Name,Type,Quantity\nx,consumable,-0\n', texts.attribute('Quantity', schemaFormTexts.problems.storedAsZero('-0'))],
    ['Name,Type,Quantity\nx,consumable,-1\n', texts.number('Quantity', '-1', false)],
    [
      'Name,Type,Quantity\nx,consumable,1764304800123456789\n',
      'Quantity: 1764304800123456789 has too many digits to be stored exactly.',
    ],
    [
      'Name,Type,Quantity,Rows,In\nx,spoon,much,1.5,nowhere\n',
      [
        '“spoon” is not a type of resource.',
        texts.number('Quantity', 'much', false),
        texts.number('Rows', '1.5', true),
        texts.parentMissing('nowhere'),
      ].join(' '),
    ],
    [
      'Name,Type,Quantity,Capacity,In\nx,discrete_consumable,3.5,2,nowhere\n',
      [texts.parentMissing('nowhere'), texts.whole, texts.overCapacity].join(' '),
    ],
    ['Name,Type,Rows,Columns\nx,grid,1.5,2\n', texts.number('Rows', '1.5', true)],
    [
      'Name,Type,Quantity\nx,consumable,"1,500"\n',
      'Quantity: “1,500” can be a fraction or thousands. Write 1.500 for the fraction, 1500 for the whole number.',
    ],
    [
      'Name;Type;Quantity\nx;consumable;1.234\n',
      'Quantity: “1.234” can be a fraction or thousands. Write 1,234 for the fraction, 1234 for the whole number.',
    ],
    ['Name,Type,Quantity\nx,discrete_consumable,1.5\n', texts.whole],
    ['Name,Type,Quantity,Capacity\nx,consumable,3,2\n', texts.overCapacity],
    ['Name,Type,Quantity\nx,asset,3\n', texts.noQuantity('asset')],
    ['Name,Type,ID\nx,asset,12\n', '“12” is not an ID: an ID has 26 letters and digits.'],
    ['Name,Type,Attributes\nx,asset,[1]\n', 'Attributes are a JSON object: { "name": value }.'],
    ['Name,Type\nx,grid\n', texts.sizes],
    ['Name,Template\nx,none\n', 'No template “none” that can be used.'],
    ['Name,Template\nx,bottle\n', texts.templateNeeds(['attributes.lot'])],
    ['Name,Type,In\nx,asset,nowhere\n', texts.parentMissing('nowhere')],
    ['Name,Type,In\nx,asset,x\n', texts.parentMissing('x')],
    ['Name,Type\nplate,stack\n', 'It is of type Grid, not Stack.'],
    ['Name,Type,In\nx,asset,held\n', texts.noContainer('held')],
    ['Name,Type,In\nx,consumable,plate\n', 'It needs a position in “plate”, such as A1.'],
    ['Name,Type,In,Well\nx,consumable,plate,C1\n', texts.position('C1', 'plate')],
    ['Name,Type,In,Well\nx,consumable,plate,A1\n', texts.occupied('A1', 'held')],
    ['Name,Type,In\nx,asset,pool\n', 'A pool accepts only consumables.'],
    ['Name,Type,In\nx,asset,slot\n', '“slot” is full.'],
    ['Name,Type,In\nx,asset,twin\n', texts.parentTwice('twin', 2)],
  ])('is rejected in the file %j: %s', (csv, problem) => {
    const index = createLab(
      plate,
      createResource('pool', { base_type: 'pool', children: {} }),
      createResource('slot', { base_type: 'slot', children: [createResource('in slot')] }),
      createResource('twin', { base_type: 'stack', children: [] }),
      createResource('twin', { base_type: 'queue', children: [], resource_id: id('twin 2') }),
    );
    expect(listMessages(plan(csv, index, { templates: [template] }))).toEqual([['invalid', problem]]);
  });

  it('is added to the container of another line, in the necessary order, unless that line is invalid', () => {
    const lines = plan(
      'Name,Type,In,Position,Rows,Columns\nw,consumable,cab / p,b2,,\np,grid,cab,,2,3\ncab,collection,,,,\ny,asset,bad,,,\nbad,grid,,,,\n',
      noResources,
    );
    expect(listStatuses(lines)).toEqual(['new', 'new', 'new', 'invalid', 'invalid']);
    expect(lines[3]?.text).toBe(texts.parentInvalid(6));
    expect([lines[0]?.precedingKey, lines[1]?.precedingKey]).toEqual(['3', '4']);
    // The well's row is created with the plate, with an ID that is known in advance.
    const { children: rows = [] } = (lines[1]?.add?.body ?? {}) as { children?: { resource_id: string }[] };
    expect(lines[0]?.add?.to).toEqual({ parentId: rows[1]?.resource_id, key: '1' });
  });

  it('is added after its parent and pushed in the order of positions', () => {
    const csv = 'Name,Type,In,Position\nc,asset,s,10\nb,asset,s,2\na,asset,s,\ns,stack,t,\nt,container,,\n';
    const order = sortForExecution(plan(csv, noResources)).map(({ name }) => name);
    expect(order).toEqual(['t', 's', 'b', 'c', 'a']);
    const mixed = 'Name,Type,In,Position\nc,asset,s,5\nx,asset,t,\na,asset,s,1\ns,stack,,\nt,container,,\n';
    expect(sortForExecution(plan(mixed, noResources)).map(({ name }) => name)).toEqual(['s', 't', 'x', 'a', 'c']);
  });

  it('can’t contain itself through another line', () => {
    expect(listStatuses(plan('Name,Type,In\na,stack,b\nb,stack,a\n', noResources))).toEqual(['invalid', 'invalid']);
  });

  it('is rejected at the position of an earlier line, and as a repetition of one', () => {
    const lines = plan(
      'Name,Type,In,Well\nx,consumable,plate,A2\ny,consumable,plate,a02\nx,consumable,plate,A2\n',
      createLab(plate),
    );
    expect(listMessages(lines)).toEqual([
      ['new', 'Consumable'],
      ['invalid', texts.occupied('a02', 'x')],
      ['invalid', texts.sameLine(2)],
    ]);
  });

  it('is a different resource than a line with the same name in another well, row or layer', () => {
    const lines = plan(
      'Name,Type,In,Position,Rows,Columns,Layers\nq,grid,,,2,2,\nx,consumable,q,A1,,,\nx,consumable,q,B1,,,\nv,voxel grid,,,1,1,2\nx,consumable,v,A1/1,,,\nx,consumable,v,A1/2,,,\nx,consumable,plate,A2,,,\nx,consumable,plate,B2,,,\nx,consumable,plate,B2,,,\n',
      createLab(plate),
    );
    expect(lines.map(({ text }) => text).at(-1)).toBe(texts.sameLine(9));
    expect(listStatuses(lines).slice(0, -1)).toEqual(Array.from({ length: 8 }, () => 'new'));
    expect(new Set(lines.slice(0, -1).map((importLine) => importLine.id)).size).toBe(8);
  });

  it('is added to the layer of its row', () => {
    const lines = plan(
      'Name,Type,In,Position,Rows,Columns,Layers\nv,voxel grid,,,1,1,2\nl1,grid,v,0,,,\nl2,grid,v,1,,,\nr1,row,l1,0,,,\nr2,row,l2,0,,,\nx,consumable,r1,1,,,\nx,consumable,r2,1,,,\n',
      noResources,
    );
    expect(listStatuses(lines)).toEqual(['new', 'existing', 'existing', 'existing', 'existing', 'new', 'new']);
    const [first, second] = lines.slice(-2).map(({ add }) => add?.to?.parentId);
    expect(first).toBeTypeOf('string');
    expect(second).not.toBe(first);
  });

  it('is rejected for its own position, even if a line with the same name is rejected for another one', () => {
    const lines = plan('Name,Type,In,Well\nx,consumable,plate,C1\nx,consumable,plate,D1\n', createLab(plate));
    expect(lines.map(({ text }) => text)).toEqual([texts.position('C1', 'plate'), texts.position('D1', 'plate')]);
  });

  it('is executed after the line of the container that creates its row', () => {
    const lines = plan(
      'Name,Type,In,Position,Rows,Columns,Layers\nx,consumable,r,1,,,\nr,row,l,0,,,\nl,grid,v,0,,,\nv,voxel grid,,,1,1,1\n',
      noResources,
    );
    expect(listStatuses(lines)).toEqual(['new', 'existing', 'existing', 'new']);
    expect(lines.map(({ precedingKey }) => precedingKey)).toEqual(['5', '5', '5', null]);
    expect(sortForExecution(lines.filter(({ add }) => add !== null)).map(({ name }) => name)).toEqual(['v', 'x']);
  });

  it('is added to a stack only until it is full', () => {
    const stack = createResource('stack', { base_type: 'stack', capacity: 2, children: [createResource('below')] });
    const lines = plan('Name,Type,In\na,asset,stack\nb,asset,stack\nbelow,asset,stack\n', createLab(stack));
    expect(listMessages(lines)).toEqual([
      ['new', 'Asset'],
      ['invalid', '“stack” is full.'],
      ['existing', ''],
    ]);
  });

  it('has the values of its template', () => {
    const [importLine] = plan('Name,Template,lot (attribute),Quantity\nx,Bottle,L 1,2\n', noResources, {
      templates: [template],
    });
    expect(importLine?.add?.body).toMatchObject({
      base_type: 'continuous_consumable',
      template_name: 'bottle',
      quantity: 2,
      capacity: 10,
      attributes: { unit: 'ml', lot: 'L 1' },
    });
  });

  it.each([
    ['Name;Type;Quantity\nx;consumable;1,5\n', 1.5],
    ['Name;Type;Quantity\nx;consumable;1,500\n', 1.5],
    ['Name,Type,Quantity\nx,consumable,"1,25"\n', 1.25],
    ['Name\tType\tQuantity\nx\tconsumable\t2.5\n', 2.5],
    ['Name,Type,Quantity\nx,consumable,1.234\n', 1.234],
    ['Name,Type,Quantity\nx,consumable,"0,125"\n', 0.125],
    ['Name;Type;Quantity\nx;consumable;0.125\n', 0.125],
    ['Name;Type;Quantity\nx;consumable;1234.567\n', 1234.567],
    ['Name;Type;Quantity\nx;consumable;1.5\n', 1.5],
  ])('has the intended quantity in the file %j', (csv, quantity) => {
    expect(plan(csv, noResources)[0]?.add?.body).toMatchObject({ quantity });
  });

  it.each([
    [';', '1,5', 1.5],
    [';', '-0,25', -0.25],
    [';', '1.5', 1.5],
    [';', '1.234', '1.234'],
    [';', '1,10', '1,10'],
    [';', '1,2,3', '1,2,3'],
    ['\t', '1,5', '1,5'],
    ['\t', '1.234', 1.234],
    ['\t', '1.10', '1.10'],
    ['\t', '7', 7],
    ['\t', 'true', true],
  ])('has an attribute of the intended type: with the separator %j, the text %s', (separator, text, lot) => {
    const csv = [
      ['Name', 'Type', 'lot (attribute)'],
      ['x', 'asset', text],
    ];
    const [importLine] = plan(csv.map((cells) => cells.join(separator)).join('\n'), noResources);
    expect(importLine?.add?.body).toMatchObject({ attributes: { lot } });
  });

  it.each([
    [',', '2.0', '2.0'],
    [';', '2,0', '2.0'],
    [',', '1764304800123456790', '1764304800123456790'],
    [',', '9007199254740993', '9007199254740993'],
    [',', '1e-07', '1e-07'],
    [',', '007', '"007"'],
    [',', '-0.0', '-0.0'],
    [',', 'null', 'null'],
    [',', '"""null"""', '"null"'],
    [',', '"""2.0"""', '"2.0"'],
  ])('has an attribute with all digits: with the separator %j, the text %s', (separator, text, json) => {
    const csv = ['Name', 'Type', 'ph (attribute)'].join(separator) + '\n' + ['x', 'asset', text].join(separator);
    const [importLine] = plan(csv, noResources);
    expect(stringifyExactJson(importLine?.add?.body)).toContain(`"attributes":{"ph":${json}}`);
    const stored = createLab(createResource('x', { attributes: { ph: 1 } }));
    const [changed] = plan(csv, stored);
    expect(stringifyExactJson(changed?.change?.edit.attributes)).toBe(`{"ph":${json}}`);
    const same = createLab(createResource('x', { attributes: parseExactJson(`{"ph":${json}}`) as never }));
    expect(listStatuses(plan(csv, same))).toEqual(['existing']);
  });

  it.each(['1e400', 'NaN', '-0', '1e-400', '{"a":1,"a":2}', '[a]'])(
    'refuses an attribute that can’t be stored as it is: %s',
    (text) => {
      const result = readScalar(text);
      const problem = texts.attribute('ph', result.ok ? '' : result.problem);
      const cell = `"${text.replaceAll('"', '""')}"`;
      expect(listMessages(plan(`Name,Type,ph (attribute)\nx,asset,${cell}\n`, noResources))).toEqual([
        ['invalid', problem],
      ]);
      const object = `"${`{"ph":${text}}`.replaceAll('"', '""')}"`;
      expect(listStatuses(plan(`Name,Type,Attributes\nx,asset,${object}\n`, noResources))).toEqual(['invalid']);
    },
  );

  it('keeps a stored null, which differs from a missing value', () => {
    const csv = 'Name,Type,ph (attribute)\nx,asset,null\n';
    expect(listStatuses(plan(csv, createLab(createResource('x', { attributes: { ph: null } }))))).toEqual(['existing']);
    expect(listMessages(plan(csv, createLab(createResource('x', { attributes: {} }))))).toEqual([
      ['changed', importTexts.differs('ph', importTexts.nothingSet, 'null')],
    ]);
  });

  it('states that a changed unit keeps the number', () => {
    const stored = createLab(createResource('x', { base_type: 'consumable', quantity: 5, attributes: { unit: 'mL' } }));
    expect(listMessages(plan('Name,Type,unit (attribute)\nx,consumable,µL\n', stored))).toEqual([
      ['changed', `${importTexts.differs('unit', 'mL', 'µL')}; ${resourcesTexts.edit.sameNumber('5 mL', '5 µL')}`],
    ]);
  });

  it('distinguishes text and number in the description of a change', () => {
    const stored = createLab(createResource('x', { attributes: { ph: '2.0' } }));
    expect(listMessages(plan('Name,Type,ph (attribute)\nx,asset,2.0\n', stored))).toEqual([
      ['changed', importTexts.differs('ph', '"2.0"', '2.0')],
    ]);
  });

  it('has the selected type when it names none', () => {
    expect(listMessages(plan('Name\nx\n', noResources, { defaultType: 'asset' }))).toEqual([['new', 'Asset']]);
  });

  it('is found by its derived ID wherever its resource is now', () => {
    const csv = 'Name,Type,In\nx,asset,stack\n';
    const stack = createResource('stack', { base_type: 'stack', children: [] });
    const [first] = plan(csv, createLab(stack));
    const labAfterMove = createLab(
      stack,
      createResource('shelf', {
        base_type: 'container',
        children: { a: createResource('x', { resource_id: first?.id ?? '' }) },
      }),
    );
    expect(listMessages(plan(csv, labAfterMove))).toEqual([['existing', importTexts.isIn('shelf: a')]]);
  });
});

describe('the CSV file of the resource list', () => {
  const parseStamp = () => null;
  const box = createResource('box', {
    base_type: 'voxel_grid',
    rows: 1,
    columns: 2,
    layers: 2,
    children: ['l0', 'l1'].map((name) =>
      createResource(`box_${name}`, {
        base_type: 'grid',
        rows: 1,
        columns: 2,
        children: [line(`box_${name}_r0`, [null, tube(`in ${name}`)])],
      }),
    ),
  });
  const lab = createLab(
    plate,
    box,
    createResource('cabinet', {
      base_type: 'collection',
      children: {
        x: tube('in x'),
        s: createResource('stack', { base_type: 'stack', children: [createResource('p1'), createResource('p2')] }),
      },
    }),
    createResource('from a deleted template', {
      template_name: 'no_more',
      resource_description: 'a, "b"',
      attributes: { lot: '007', n: 3 },
    }),
  );
  const exportCsv = (index: ResourceIndex): Uint8Array =>
    new TextEncoder().encode(formatCsv(resourceColumns(index, ['lot'], parseStamp), index.all));

  it('changes nothing when it is imported into the same lab', () => {
    expect(new Set(listStatuses(plan(exportCsv(lab), lab)))).toEqual(new Set(['existing']));
  });

  it('has the unit of each amount once, and reads it again from an attribute or a field', () => {
    const units = createLab(
      tube('with attribute'),
      createResource('with field', { base_type: 'continuous_consumable', quantity: 1, unit: 'mg' } as never),
    );
    const csv = formatCsv(resourceColumns(units, ['unit'], parseStamp), units.all);
    const [heads = ''] = csv.split('\r\n');
    expect(heads).toContain('Quantity,Capacity,unit (attribute),');
    expect(heads.match(/unit/g)).toHaveLength(1);
    expect(csv).toMatch(/,1,2,ml,[^]*,1,,mg,/);
    expect(listStatuses(plan(csv, units))).toEqual(['existing', 'existing']);
    expect(plan(csv, noResources).map(({ add }) => add?.body['attributes'])).toEqual([{ unit: 'ml' }, { unit: 'mg' }]);
  });

  it('creates the same resources in an empty lab, each at its position', () => {
    const lines = plan(exportCsv(lab), noResources);
    const partCount = lab.all.filter(({ name }) => /_r\d|box_l/.test(name)).length;
    expect(listStatuses(lines).filter((status) => status === 'existing')).toHaveLength(partCount);
    expect(listStatuses(lines).filter((status) => status === 'new')).toHaveLength(lab.all.length - partCount);
    const lineNamed = (name: string) => lines.find((importLine) => importLine.name === name);
    expect(lineNamed('from a deleted template')?.add?.body).toMatchObject({
      resource_id: id('from a deleted template'),
      resource_description: 'a, "b"',
      template_name: 'no_more',
      attributes: { lot: '007', n: 3 },
    });
    expect(lineNamed('in x')?.add).toMatchObject({
      to: { parentId: id('cabinet'), key: 'x' },
      body: { quantity: 1, capacity: 2 },
    });
    expect(lineNamed('p2')?.add?.to).toEqual({ parentId: id('stack'), key: null });
    expect(lineNamed('held')?.add?.to).toMatchObject({ key: '0' });
    expect(lineNamed('in l0')?.add?.to?.parentId).not.toBe(lineNamed('in l1')?.add?.to?.parentId);
  });
});

describe('the identification of lines and columns', () => {
  it('derives a valid ID, equal for equal lines and different for others', () => {
    const parts = fc.array(fc.string(), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(parts, parts, (first, second) => {
        expect(isUlid(deriveId(first))).toBe(true);
        expect(deriveId(first) === deriveId(second)).toBe(JSON.stringify(first) === JSON.stringify(second));
      }),
    );
  });

  it.each([
    [
      ['Name', 'Stock', 'Updated'],
      ['name', 'ignore', 'ignore'],
    ],
    [
      ['resource_name', 'Resource ID', 'base_type'],
      ['name', 'id', 'type'],
    ],
    [
      ['Well', 'Volume', 'Plate', 'strain'],
      ['position', 'quantity', 'parent', 'ignore'],
    ],
    [
      ['lot (attribute)', 'attributes.unit', 'Attributes'],
      ['attribute', 'attribute', 'attributes'],
    ],
    [
      ['Name', 'Label'],
      ['name', 'ignore'],
    ],
    [
      ['WELL', 'Volume (µl)', 'Strain'],
      ['position', 'quantity', 'ignore'],
    ],
    [
      ['Sample', 'volume [uL]', 'Capacity in mL'],
      ['name', 'quantity', 'capacity'],
    ],
  ])('recognizes the headings %j as %j', (headings, uses) => {
    expect(recognizeColumns(headings)).toEqual(uses);
    expect(recognizeColumns(['barcode', 'Well'], ['barcode'])).toEqual(['attribute', 'position']);
  });

  it('recognizes the headings of a supplier’s delivery note', () => {
    const headings = ['Item', 'Art.-Nr.', 'Qty', 'Unit', 'Lot', 'Storage', 'Price'];
    const uses = ['name', 'attribute', 'quantity', 'attribute', 'attribute', 'parent', 'ignore'];
    expect(recognizeColumns(headings)).toEqual(uses);
  });

  it.each([
    ['Strain', 'strain', 'strain'],
    ['OD (AU)', 'od', 'od'],
    ['Strain', 'lot', 'Strain'],
  ])('normalizes the heading %s with the known attribute %s to %s', (heading, knownAttribute, name) => {
    expect(normalizeHeadings([heading], [knownAttribute])).toEqual([name]);
    expect(recognizeColumns([heading], [knownAttribute])).toEqual([name === knownAttribute ? 'attribute' : 'ignore']);
  });

  it('lists unused columns with content', () => {
    const headings = ['Name', 'Strain', 'Empty', 'Stock'];
    const uses = ['name', 'ignore', 'ignore', 'ignore'] as const;
    expect(findUnusedColumns(headings, uses, (column) => column !== 2)).toEqual(['Strain']);
  });

  it('reports a use that is selected twice, and reads attribute names and types', () => {
    expect(findDuplicateUses(['a', 'b'], ['name', 'name'])).toEqual(['name']);
    expect(findDuplicateUses(['a', 'a (attribute)'], ['attribute', 'attribute'])).toEqual(['attribute']);
    expect(findDuplicateUses(['a', 'b', 'c'], ['attribute', 'attribute', 'ignore'])).toEqual([]);
    expect(toAttributeName('attributes.lot')).toBe('lot');
    expect(readType('Voxel Grid')).toBe('voxel_grid');
  });
});
