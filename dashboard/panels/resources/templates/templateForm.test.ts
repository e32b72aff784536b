import { describe, expect, it } from 'vitest';
import type { ResourceTemplate } from '#api/managers/resourceTypes.ts';
import {
  formFields,
  formValues,
  findNameProblem,
  createTemplateBody,
  toTemplateResource,
  resourceValues,
  findUpdateConflicts,
  findUpdates,
} from './templateForm.ts';

const template = {
  template_name: 'rack',
  resource_name: 'rack_template',
  base_type: 'discrete_consumable',
  description: 'A rack',
  required_overrides: ['resource_name'],
  tags: [],
  version: '1.0.0',
  default_values: { resource_class: 'tips', quantity: 96, capacity: 96, attributes: { low_mark: 16 } },
} as unknown as ResourceTemplate;

describe('the form of a resource template', () => {
  it('sends only the differences, and empty values of the right type', () => {
    const formArgs = formValues(template).args;
    expect(findUpdates(template, formArgs)).toEqual({});
    const { description: _gone, capacity: _none, ...rest } = formArgs;
    expect(findUpdates(template, { ...rest, quantity: 48, tags: ['tips'] })).toEqual({
      description: '',
      capacity: null,
      quantity: 48,
      tags: ['tips'],
    });
  });

  it('reports a conflict only if another user changed the same field to another value', () => {
    const editedValues = { ...formValues(template).args, quantity: 48, version: '2', tags: ['mine'] };
    const now = {
      ...template,
      description: 'Theirs',
      version: '2',
      tags: ['theirs'],
      default_values: { ...template.default_values, capacity: 10 },
    };
    expect(findUpdateConflicts(template, now, editedValues)).toEqual([
      { field: 'tags', initialValue: null, currentValue: ['theirs'], editedValue: ['mine'] },
    ]);
    expect(findUpdateConflicts(template, template, editedValues)).toEqual([]);
  });

  it.each([
    ['rack_2', null],
    ['Rack_2', 'Use lower case only: the resource manager couldn’t find it again.'],
    ['a/b', 'A name can’t have a slash in it.'],
    ['rack', 'A template rack is there already; it would be replaced.'],
  ])('validates the name %s: %s', (name, problem) => {
    expect(findNameProblem(name, ['rack'])).toBe(problem);
  });

  it('derives a template from a resource without its individual fields', () => {
    const templateResource = toTemplateResource({
      resource_id: 'R',
      resource_name: 'rack_7',
      base_type: 'stack',
      parent_id: 'P',
      key: '0',
      capacity: 4,
      owner: { node_id: 'N' },
      locked_by: 'me',
      unit: null,
      children: [{ resource_id: 'C', resource_name: 'c', base_type: 'asset' }],
    });
    expect(templateResource).toEqual({ resource_name: 'rack_7', base_type: 'stack', capacity: 4 });
  });

  it('offers the name and size fields only for a new template', () => {
    const names = (mode: 'new' | 'edit') => formFields(mode, 'grid').map(({ name }) => name);
    expect(names('new')).toEqual(expect.arrayContaining(['template_name', 'rows', 'columns', 'attributes']));
    expect(names('edit')).not.toContain('rows');
    expect(names('edit')).not.toContain('template_name');
  });

  it('sends the fields of the template separately from those of the resource', () => {
    const values = { template_name: 'plate', tags: ['a'], rows: 8, columns: 12 };
    expect(resourceValues(values)).toEqual({ rows: 8, columns: 12 });
    const resource = { base_type: 'grid', resource_name: 'plate', rows: 8, columns: 12 } as const;
    expect(createTemplateBody(values, resource)).toEqual({
      template_name: 'plate',
      resource,
      description: '',
      required_overrides: [],
      tags: ['a'],
    });
  });
});
