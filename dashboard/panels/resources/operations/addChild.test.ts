import { describe, expect, it } from 'vitest';
import { baseTypes } from '#api/managers/resourceTypes.ts';
import { resourceBody } from '#api/managers/resourceBody.ts';
import { anyShape } from '#dashboard/components/form/declared/shape.ts';
import { schemaFormTexts } from '#dashboard/components/form/texts.ts';
import { validateValue } from '#dashboard/components/form/validate.ts';
import { newResourceFields, initialValues, offeredTypes, templateFields, templateValues } from './addChild.ts';
import { newResourceBody } from './resourceSpec.ts';

const names = (type: string) => newResourceFields(type).map(({ name }) => name);

describe('the form of a new resource', () => {
  it.each([
    ['asset', []],
    ['discrete_consumable', ['quantity', 'capacity', 'unit']],
    ['stack', ['capacity']],
    ['slot', []],
    ['row', ['columns']],
    ['grid', ['rows', 'columns']],
    ['voxel_grid', ['rows', 'columns', 'layers']],
  ])('has these additional fields for the type %s: %j', (type, fields) => {
    expect(names(type)).toEqual(['resource_name', 'resource_class', 'resource_description', ...fields, 'attributes']);
  });

  it('creates a valid body for every offered type', () => {
    expect(offeredTypes).toHaveLength(baseTypes.length - 1);
    for (const type of offeredTypes) {
      const values = Object.fromEntries(
        newResourceFields(type).flatMap(({ name, required, default: fallback }) =>
          required ? [[name, fallback ?? 'x']] : [],
        ),
      );
      expect(resourceBody.safeParse(newResourceBody(type, values)).error).toBeUndefined();
    }
  });

  it('has the fields that a template requires, with the types of their defaults', () => {
    const template = {
      required_overrides: ['resource_name', 'resource_class', 'quantity', 'attributes.lot', 'attributes.grade'],
      default_values: { quantity: 4, attributes: { grade: 2 } },
    };
    const fields = templateFields(template);
    expect(fields.map(({ name, shape }) => [name, shape.kind])).toEqual([
      ['resource_name', 'text'],
      ['resource_class', 'text'],
      ['quantity', 'number'],
      ['attributes.lot', 'text'],
      ['attributes.grade', 'number'],
    ]);
    expect(initialValues(fields)).toEqual({ args: { quantity: 4, 'attributes.grade': 2 } });
    const input = { resource_class: '7', 'attributes.lot': '7', quantity: 3 };
    expect(templateValues(template, input)).toEqual({ resource_class: '7', 'attributes.lot': 7, quantity: 3 });
    const lotShape = fields.find(({ name }) => name === 'attributes.lot')?.shape ?? anyShape;
    expect(validateValue(lotShape, '7')).toBeNull();
    expect(validateValue(lotShape, '1e400')).toBe(
      schemaFormTexts.json.asText('A number is too large: a manager that stores it can’t return the object any more.'),
    );
  });
});
