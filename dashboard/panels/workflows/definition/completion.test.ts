import { describe, expect, it } from 'vitest';
import { complete } from './completion.ts';
import { describeAt } from './describe.ts';
import { validateDefinition } from './validateDefinition.ts';
import { emptyKnowledge } from './labKnowledge.ts';
import { sampleLabKnowledge } from '#dashboard/fixtures/sampleLabKnowledge.ts';

/** Returns the labels offered at `|`. */
function listCompletions(marked: string, knowledge = sampleLabKnowledge): string[] {
  const offset = marked.indexOf('|');
  const text = marked.replace('|', '');
  const { definition } = validateDefinition(text, knowledge);
  return complete(text, offset, definition, knowledge)?.options.map(({ label }) => label) ?? [];
}

describe('completion in the editor', () => {
  it.each<[string, string[]]>([
    ['|', ['name', 'workflow_definition_id', 'definition_metadata', 'description', 'parameters', 'steps']],
    ['definition_metadata:\n  |', ['author', 'description', 'version', 'ownership_info']],
    ['parameters:\n  |', ['json_inputs', 'file_inputs', 'feed_forward']],
    ['parameters:\n  json_inputs:\n    - |', ['key', 'description', 'default', 'parameter_type']],
    ['steps:\n  - node: |', ['reader', 'arm', 'silent']],
    ['steps:\n  - node: reader\n    action: |', ['read_plate', 'read_well', 'run_protocol']],
    ['steps:\n  - action: |', ['wait', 'transfer', 'transfer_resource']],
    ['steps:\n  - node: reader\n    action: read_plate\n    args:\n      mode: fast\n      |', ['wavelength']],
    ['steps:\n  - node: reader\n    action: read_plate\n    args:\n      mode: |', ['fast', 'exact']],
    ['steps:\n  - node: arm\n    action: move\n    locations:\n      |', ['source', 'target']],
    ['steps:\n  - node: arm\n    action: move\n    locations:\n      source: |', ['deck_1', 'nest', 'store']],
    ['steps:\n  - node: reader\n    action: run_protocol\n    files:\n      |', ['protocol']],
    [
      'parameters:\n  file_inputs:\n    - key: doc\n  json_inputs:\n    - key: n\nsteps:\n  - action: wait\n    files:\n      a: |',
      ['doc'],
    ],
    [
      'parameters:\n  file_inputs:\n    - key: doc\n  json_inputs:\n    - key: n\nsteps:\n  - action: wait\n    use_parameters:\n      args:\n        seconds: |',
      ['n'],
    ],
    ['steps:\n  - key: one\n    action: wait\nparameters:\n  feed_forward:\n    - key: a\n      step: |', ['one']],
    [
      'steps:\n  - action: wait\n    conditions:\n      - condition_type: |',
      ['resource_present', 'no_resource_present', 'resource_field_check', 'resource_child_field_check'],
    ],
    [
      'steps:\n  - action: wait\n    conditions:\n      - condition_type: resource_present\n        location_name: |',
      ['deck_1', 'nest', 'store'],
    ],
    [
      'steps:\n  - action: wait\n    conditions:\n      - condition_type: resource_field_check\n        operator: |',
      expect.arrayContaining(['is_equal_to']) as unknown as string[],
    ],
    ['steps:\n  - action: wait\n    args:\n      |', ['seconds']],
    ['name: |', []],
  ])('suggests the expected keys or values at %j', (text, labels) => expect(listCompletions(text)).toEqual(labels));

  it('suggests keys, but no nodes, without data of the lab', () => {
    expect(listCompletions('steps:\n  - node: |', emptyKnowledge)).toEqual([]);
    expect(listCompletions('steps:\n  - |', emptyKnowledge)).toContain('use_parameters');
  });

  it('ranks the locations that the node can reach higher and quotes names that YAML would misread', () => {
    const lab = {
      ...sampleLabKnowledge,
      locations: [...sampleLabKnowledge.locations, { name: '12', id: 'L12', resource: null, representations: ['arm'] }],
    };
    const text = 'steps:\n  - node: arm\n    locations:\n      source: ';
    const options = complete(text, text.length, validateDefinition(text, lab).definition, lab)!.options;
    expect(options.map(({ apply, boost }) => [apply, boost])).toEqual([
      ['deck_1', 5],
      ['nest', 5],
      ['store', -20],
      ['"12"', 5],
    ]);
  });
});

describe('the description of an action under the pointer', () => {
  const text = 'name: x\nsteps:\n  - node: reader\n    action: read_plate\n  - action: wait\n    args: {seconds: 1}\n';
  const { source, definition } = validateDefinition(text, sampleLabKnowledge);
  it('contains its purpose and arguments', () => {
    const description = describeAt(source, definition, sampleLabKnowledge, text.indexOf('read_plate') + 2);
    expect(description?.description).toMatchObject({
      title: 'reader: read_plate',
      description: 'Does read_plate.',
      groups: [
        {
          title: 'Arguments',
          items: [{ name: 'wavelength', type: 'int', note: 'default 600', description: 'nm' }, { name: 'mode' }],
        },
        { title: 'Results' },
      ],
    });
    expect(text.slice(description!.span.from, description!.span.to)).toBe('read_plate');
  });
  it('is available for built-in actions, and null at other positions', () => {
    expect(describeAt(source, definition, sampleLabKnowledge, text.indexOf('wait') + 1)?.description.title).toBe(
      'wait',
    );
    expect(describeAt(source, definition, sampleLabKnowledge, 2)).toBeNull();
  });
});
