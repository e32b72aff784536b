import { describe, expect, it } from 'vitest';
import { newWorkflowDefinition } from '#api/managers/workflowDefinition.ts';
import { validateDefinition } from './validateDefinition.ts';
import { checkSteps } from './labCheck.ts';
import { emptyKnowledge } from './labKnowledge.ts';
import { definitionTexts } from './texts.ts';
import { toRequestBody } from './model.ts';
import { sampleLabKnowledge } from '#dashboard/fixtures/sampleLabKnowledge.ts';
import { createStartFields } from './startFields.ts';

const good = `# a comment
name: Growth
definition_metadata:
  author: Ada
  version: 1
parameters:
  json_inputs:
    - key: wavelength
      default: 600
    - key: from
  file_inputs:
    - key: program
  feed_forward:
    - key: reading
      step: read
      label: json_result
steps:
  - name: Read
    key: read
    node: reader
    action: read_plate
    use_parameters:
      args:
        wavelength: wavelength
  - name: Run
    node: reader
    action: run_protocol
    files:
      protocol: program
  - name: Move
    node: arm
    action: move
    locations:
      target: nest
    use_parameters:
      args:
        speed: reading
      locations:
        source: from
  - name: Rest
    action: wait
    args:
      seconds: 5
`;

/** Returns problems as `line:column severity message`. */
function listProblems(text: string, knowledge = sampleLabKnowledge): string[] {
  return validateDefinition(text, knowledge).problems.map(
    ({ line, column, severity, message }) => `${line}:${column} ${severity} ${message}`,
  );
}
const definition = (text: string) => validateDefinition(text, sampleLabKnowledge).definition!;
/** Returns a definition with one step that has the given lines; the step starts on line 3. */
const step = (...lines: string[]) =>
  ['name: x', 'steps:', `  - ${lines[0]}`, ...lines.slice(1).map((l) => `    ${l}`)].join('\n');

describe('a valid definition', () => {
  it('has no problems in YAML and in JSON', () => {
    expect(listProblems(good)).toEqual([]);
    expect(listProblems(JSON.stringify(definition(good) && toRequestBody(definition(good)), null, 2))).toEqual([]);
  });

  it('is sent in the spelling that MADSci 0.7 also accepts', () => {
    const wire = toRequestBody(definition(good), 'Bob');
    expect(newWorkflowDefinition.safeParse(wire).success).toBe(true);
    expect(wire).toMatchObject({
      name: 'Growth',
      definition_metadata: { author: 'Ada', version: 1 },
      parameters: {
        json_inputs: [
          { key: 'wavelength', default: 600 },
          { key: 'from', default: null },
        ],
        file_inputs: [{ key: 'program', parameter_type: 'file_input' }],
        feed_forward: [{ key: 'reading', parameter_type: 'feed_forward_json', step: 'read', data_type: 'json' }],
      },
    });
    expect(wire.steps?.[3]).toEqual({ name: 'Rest', action: 'wait', args: { seconds: 5 } });
  });

  it('has start fields whose types come from the arguments that use them', () => {
    expect(
      createStartFields(definition(good), sampleLabKnowledge).map(({ name, shape, unit, required }) => [
        name,
        shape.kind,
        unit,
        required,
      ]),
    ).toEqual([
      ['wavelength', 'number', 'nm', false],
      ['from', 'location', null, true],
      ['program', 'file', null, true],
    ]);
  });
});

it('a definition is accepted with the older and alternative keys that the manager accepts', () => {
  const text = `
name: Old
description: from the top
metadata:
  info: kept
params:
  - name: doc
    type: file
  - name: speed
    default: 2
  - key: later
    parameter_type: feed_forward_json
    step: 0
steps:
  - step_key: one
    node: reader
    action: run_protocol
    files:
      protocol: doc
  - node: arm
    action: move
    location_arguments: { source: deck_1, target: nest }
    arguments: {}
    params:
      args: { speed: later }
  - action: wait
    parameters:
      args:
        seconds: { key: long, default: 3, parameter_type: json_input }
`;
  expect(listProblems(text)).toEqual(['9:11 warning No step uses “speed”.']);
  expect(toRequestBody(definition(text))).toMatchObject({
    definition_metadata: { description: 'kept' },
    parameters: {
      json_inputs: [
        { key: 'speed', default: 2 },
        { key: 'long', default: 3 },
      ],
      file_inputs: [{ key: 'doc' }],
      feed_forward: [{ key: 'later', step: 0 }],
    },
    steps: [
      { key: 'one', files: { protocol: 'doc' } },
      { locations: { source: 'deck_1', target: 'nest' }, use_parameters: { args: { speed: 'later' } } },
      { use_parameters: { args: { seconds: 'long' } } },
    ],
  });
  expect(
    toRequestBody(definition('name: x\ndescription: top\nsteps: [{action: wait, args: {seconds: 1}}]')),
  ).toMatchObject({
    definition_metadata: { description: 'top' },
  });
});

describe('the text of a definition', () => {
  it.each([
    ['', ['1:1 error The definition is empty. Start with its name.']],
    ['just words', ['1:1 error A definition is a set of keys: name, parameters, steps.']],
    ['name: x\nname: y\nsteps: []', ['2:1 error This key is here twice; only one can count.']],
    ['name: x\nsteps:\n\t- action: wait', [expect.stringMatching(/^3:1 error A tab/)]],
    ['name: x\n---\nname: y', [expect.stringMatching(/^2:1 error Only one definition/)]],
    ['name: [x', [expect.stringMatching(/error/)]],
  ])('has the expected problems: %j', (text, expected) => {
    const foundProblems = listProblems(text);
    for (const problem of expected as unknown[]) expect(foundProblems).toContainEqual(problem);
  });

  it('has the value that MADSci reads, with a warning where YAML 1.2 has another one', () => {
    expect(listProblems(step('node: reader', 'action: read_well', 'args: {well: NO}'))).toEqual([
      '5:18 error “well” (str): It must be a text, not true or false.',
      `5:18 warning ${definitionTexts.syntax.yaml11('NO', 'false', 'boolean')}`,
    ]);
  });
});

describe('a definition that the manager would reject or change', () => {
  it.each<[string, string[]]>([
    ['steps:\n  - action: wait\n    args: {seconds: 1}', ['1:1 error The workflow needs a name.']],
    ["name: '  '\nsteps: [{action: wait, args: {seconds: 1}}]", ['1:7 error The workflow needs a name.']],
    [
      'name: 12\nsteps: [{action: wait, args: {seconds: 1}}]',
      ['1:7 error This must be text, not 12. Put it in quotes.'],
    ],
    [
      'name: x\nsteps: {}',
      [
        '2:1 error This must be a list, each item after a dash.',
        '2:1 warning Without steps the workflow ends at once.',
      ],
    ],
    [
      step('nod: reader', 'action: wait', 'args: {seconds: 1}'),
      ['3:5 warning The manager silently ignores the key “nod”. Did you mean “node”?'],
    ],
    [
      step('action: wait', 'args: {seconds: 1}', 'arguments: {}'),
      ['5:5 error “args” and “arguments” are two spellings of the same key: give one.'],
    ],
    [step('node: reader'), ['3:5 error This step has no action.']],
    [
      `${step('action: wait', 'key: a', 'args: {seconds: 1}')}\n  - action: wait\n    key: a\n    args: {seconds: 1}`,
      ['7:10 error Another step has the key “a” already.'],
    ],
    [
      step('action: wait', 'use_parameters: {args: {seconds: sec}}') + '\nparameters: [{key: secs, default: 1}]',
      ['4:38 error There is no parameter “sec”. Did you mean “secs”?', '5:20 warning No step uses “secs”.'],
    ],
    [
      step('node: reader', 'action: run_protocol', 'files: {protocol: p}') + '\nparameters: {json_inputs: [{key: p}]}',
      ['5:23 error “p” is a value, not a file.'],
    ],
    [
      step('action: wait', 'key: a', 'use_parameters: {args: {seconds: s}}') +
        '\nparameters: {feed_forward: [{key: s, step: a}]}',
      ['5:38 error “s” comes from this very step.'],
    ],
    [
      step('action: wait', 'use_parameters: {args: {seconds: s}}') +
        '\nparameters: {feed_forward: [{key: s, step: nix}]}',
      ['5:44 error “s” comes from the step “nix”, which isn’t there.'],
    ],
    [
      step('action: wait', 'args: {seconds: 1}', 'conditions: [{condition_type: resource_presnt}]'),
      [
        '5:35 error A condition’s type is one of resource_present, no_resource_present, resource_field_check, resource_child_field_check. Did you mean “resource_present”?',
      ],
    ],
    [
      step('action: wait', 'args: {seconds: 1}', 'conditions: [{condition_type: resource_present}]'),
      ['5:18 error This condition needs location_name or location_id.'],
    ],
    [
      step('action: wait', 'args: {seconds: 1}', 'conditions: [{condition_type: no_resource_present, location_id: x}]'),
      ['5:18 error This condition needs location_name.'],
    ],
    [
      step(
        'action: wait',
        'args: {seconds: 1}',
        'conditions:',
        '  - condition_type: resource_field_check',
        '    field: quantity',
        '    operator: is_greater_than',
        "    target_value: '5'",
      ),
      [
        '6:9 error This condition needs resource_name or resource_id.',
        '9:23 error quantity is a number, so target_value must be a number.',
      ],
    ],
    [
      step(
        'action: wait',
        'args: {seconds: 1}',
        'conditions:',
        '  - condition_type: resource_field_check',
        '    resource_name: 12',
        '    field: removed',
        '    operator: is_less_than',
        '    target_value: true',
      ),
      [
        '7:24 error This must be text, not 12. Put it in quotes.',
        '10:23 error Only numbers and texts can be greater or less.',
      ],
    ],
    [
      step(
        'action: wait',
        'args: {seconds: 1}',
        'conditions:',
        '  - condition_type: resource_present',
        '    location_name: nest',
        '    key: [1]',
      ),
      ['8:9 error The key is a text, a whole number, or a list of 2 or 3 of them.'],
    ],
    [
      step('action: wait', 'args: {seconds: 1}', 'use_parameters: {args: {seconds: s}}') +
        '\nparameters: [{key: s, default: 1}]',
      ['4:12 warning “seconds” is also set by the parameter “s”, which has precedence.'],
    ],
  ])('has the expected problems: %j', (text, expected) => expect(listProblems(text)).toEqual(expected));
});

describe('a definition that does not match the lab', () => {
  it.each<[string, string[]]>([
    [
      step('node: readr', 'action: read_plate'),
      ['3:11 error This workcell has no node “readr”. Did you mean “reader”?'],
    ],
    [
      step('node: reader', 'action: read_plat'),
      ['4:13 error reader has no action “read_plat”. Did you mean “read_plate”?'],
    ],
    [step('node: reader', 'action: read_well'), ['3:5 error read_well needs the argument “well” (str).']],
    [
      step('action: dance'),
      ['3:13 error Without a node, the action is one of wait, transfer, transfer_resource, not “dance”.'],
    ],
    [step('action: read_plate'), [expect.stringContaining('is “node: reader” missing?') as unknown as string]],
    [step('action: wait'), ['3:5 error wait needs the argument “seconds” (float).']],
    [step('action: wait', 'args: {seconds: soon}'), ['4:21 error “seconds” (float): It must be a number, not a text.']],
    [step('action: wait', 'args: {seconds: -1}'), ['4:21 error “seconds” (float): -1 is out of range: at least 0.']],
    [
      step('node: arm', 'action: move', 'args: {speed: abc}', 'locations: {source: nest, target: deck_1}'),
      ['5:19 error “speed” (Optional[float]): It must be a number, not a text.'],
    ],
    [
      step('node: arm', 'action: move', "args: {speed: '5'}", 'locations: {source: nest, target: deck_1}'),
      ['5:19 warning “speed” (Optional[float]): It must be a number, not a text. The node converts it.'],
    ],
    [step('node: arm', 'action: move', 'args: {speed: null}', 'locations: {source: nest, target: deck_1}'), []],
    [
      step(
        'action: wait',
        'args: {seconds: 1}',
        'conditions: [{condition_type: resource_present, location_name: nst}]',
      ),
      ['5:68 error The condition can never hold: there is no location “nst”. Did you mean “nest”?'],
    ],
    [
      step('node: reader', 'action: read_plate', 'args: {wavelength: 600.5, mode: slow, wavelenght: 1}'),
      [
        '5:24 error “wavelength” (int): 600.5 is not a whole number.',
        "5:37 error “mode” (Literal['fast', 'exact']): It must be one of fast, exact.",
        '5:43 warning read_plate has no argument “wavelenght”. Did you mean “wavelength”?',
      ],
    ],
    [step('node: silent', 'action: any'), ['4:13 unchecked Not checked: silent has not reported its actions yet.']],
    [step('node: reader', 'action: run_protocol'), ['3:5 error run_protocol needs the file “protocol”.']],
    [
      step('node: arm', 'action: move', 'locations: {source: store, target: nst}'),
      [
        '5:25 error arm doesn’t know where “store” is: the location has no representations.',
        '5:40 error There is no location “nst”. Did you mean “nest”?',
      ],
    ],
    [
      step('node: arm', 'action: move', 'args: {source: nest}', 'locations: {target: nest}'),
      [
        '5:12 warning “source” is a location: put it under locations.',
        '5:5 error move needs the location “source”.',
      ].toSorted(),
    ],
    [step('action: transfer', 'args: {source: deck_1, target: nix}'), ['4:36 error There is no location “nix”.']],
  ])('has the expected problems: %j', (text, expected) => expect(listProblems(text).toSorted()).toEqual(expected));

  it('reports only what is unchecked when managers did not respond', () => {
    expect(listProblems(step('node: reader', 'action: nix', 'locations: {a: b}'), emptyKnowledge)).toEqual([
      '2:1 unchecked The workcell manager did not respond: nodes and actions are not checked.',
      '2:1 unchecked The location manager did not respond: locations are not checked.',
    ]);
  });
});

describe('the check of each step', () => {
  const lines = (values: Record<string, unknown>) =>
    checkSteps(definition(good), sampleLabKnowledge, values).map(
      ({ step: index, aspect, status }) => `${index} ${aspect} ${status}`,
    );

  it('lists the findings of every step', () => {
    expect(lines({ from: 'deck_1' })).toEqual([
      '0 node ok',
      '0 state ok',
      '0 action ok',
      '0 args ok',
      '1 node ok',
      '1 state ok',
      '1 action ok',
      '1 args ok',
      '1 files ok',
      '2 node ok',
      '2 state warning',
      '2 action ok',
      '2 args ok',
      '2 locations ok',
      '3 node ok',
      '3 action ok',
      '3 args ok',
    ]);
  });

  it('checks the start values', () => {
    expect(lines({ from: 'store', wavelength: 'x' })).toEqual(
      expect.arrayContaining(['0 args problem', '2 locations problem']),
    );
    expect(lines({})).toContain('2 locations unchecked');
  });

  it('resolves a node and an action that are parameters', () => {
    const text = `name: x
parameters: [{key: who, default: reader}, {key: what, default: read_well}]
steps:
  - use_parameters: {node: who, action: what}
    args: {well: A1}
`;
    expect(listProblems(text)).toEqual([]);
    const findings = checkSteps(definition(text), sampleLabKnowledge, { who: 'arm' });
    expect(findings.find(({ status }) => status === 'problem')?.text).toBe('arm has no action “read_well”.');
  });
});

it.each([
  ['1.0e+400', 'Infinity and NaN can’t be sent.'],
  ['.inf', 'Infinity and NaN can’t be sent.'],
  ['1.0e-400', 'stores 1e-400 as 0'],
  ['*gone', definitionTexts.syntax.error('BAD_ALIAS', '')],
])('a definition with the value %s has an error at its line', (value, text) => {
  const problems = listProblems(good.replace('seconds: 5', `seconds: ${value}`));
  const line = good.split('\n').findIndex((each) => each.includes('seconds: 5')) + 1;
  expect(problems.filter((problem) => problem.startsWith(`${line}:`) && problem.includes(text))).toHaveLength(1);
});
