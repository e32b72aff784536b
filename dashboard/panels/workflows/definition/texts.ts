/** Texts of the definition editor: keys, problems, and findings about the lab. */
const suggestion = (name: string | null) => (name === null ? '' : ` Did you mean “${name}”?`);

export const definitionTexts = {
  syntax: {
    error: (code: string, message: string) =>
      ({
        TAB_AS_INDENT: 'A tab can’t indent in YAML: use spaces.',
        DUPLICATE_KEY: 'This key is here twice; only one can count.',
        BAD_INDENT: 'This line is indented by too much or too little.',
        MULTIPLE_DOCS: 'Only one definition fits in a file: there is a second one after ---.',
        MISSING_CHAR: `Something is missing here: ${message}.`,
        BLOCK_AS_IMPLICIT_KEY: 'A nested value can’t be on this line: put it on the next line, indented.',
        BLOCK_IN_FLOW: 'Inside brackets, write the rest with brackets and commas too.',
        RESOURCE_EXHAUSTION: `This exceeds a limit: ${message}.`,
        BAD_ALIAS: 'This names an anchor (&…) that isn’t there.',
        UNEXPECTED_TOKEN: `This isn’t allowed here: ${message}.`,
      })[code] ?? `${message}.`.replace(/\.+$/, '.'),
    /** @param kind the type of the value: that of text, a number or a boolean */
    yaml11: (source: string, value: string, kind: string) =>
      kind === 'string'
        ? `MADSci reads “${source}” as text, because its YAML is version 1.1. Put it in quotes, or write a number as 15 or 1.0e+3.`
        : `MADSci reads “${source}” as ${value}, because its YAML is version 1.1. Write ${value}, or put it in quotes if it is text.`,
  },
  structure: {
    unknownKey: (key: string, known: string | null) =>
      `The manager silently ignores the key “${key}”.${suggestion(known)}`,
    notText: (value: string) => `This must be text, not ${value}. Put it in quotes.`,
    notMap: 'This must be keys with values.',
    conditionType: (known: string, name: string | null) => `A condition’s type is one of ${known}.${suggestion(name)}`,
    conditionMissing: (key: string) => `This condition needs ${key}.`,
  },
  references: {
    unknownParameter: (key: string, known: string | null) => `There is no parameter “${key}”.${suggestion(known)}`,
    feedLate: (key: string, step: string, same: boolean) =>
      `“${key}” comes from ${same ? 'this very step' : `step ${step}, which runs later`}.`,
    feedFrom: (key: string, step: string, known: string | null) =>
      `“${key}” comes from the step “${step}”, which isn’t there.${suggestion(known)}`,
  },
  lab: {
    noNode: (node: string, known: string | null) => `This workcell has no node “${node}”.${suggestion(known)}`,
    noBuiltIn: (action: string, known: string, name: string | null, owner: string | null) =>
      `Without a node, the action is one of ${known}, not “${action}”.${
        owner === null
          ? suggestion(name)
          : ` The node ${owner} has an action of that name: is “node: ${owner}” missing?`
      }`,
    notReady: (node: string, reason: string) =>
      `${node}: ${reason === '' ? 'not ready' : reason}. The step waits for it.`,
    planned: (nodes: string) => (nodes === '' ? 'It is there already.' : `A transfer is possible; moved by ${nodes}.`),
    notPlanned: (source: string, target: string, reason: string) =>
      `Not checked whether there is a path from “${source}” to “${target}”${reason === '' ? '.' : `: ${reason}.`}`,
    empty: (location: string) => `Nothing is recorded at “${location}”, the source of the step.`,
    actionFrom: (key: string) => `The action comes from the parameter “${key}”.`,
    noAction: (node: string, action: string, known: string | null) =>
      `${node} has no action “${action}”.${suggestion(known)}`,
    missingArgument: (action: string, name: string, type: string) =>
      `${action} needs the argument “${name}”${type === '' ? '' : ` (${type})`}.`,
    unknownArgument: (action: string, name: string, known: string | null) =>
      `${action} has no argument “${name}”.${suggestion(known)}`,
    validateValue: (name: string, type: string, problem: string) =>
      `“${name}”${type === '' ? '' : ` (${type})`}: ${problem}`,
    converted: (name: string, type: string, problem: string) =>
      `“${name}”${type === '' ? '' : ` (${type})`}: ${problem} The node converts it.`,
    notId: (name: string, value: string) => `“${name}”: “${value}” is not an ID, which has 26 characters.`,
    conditionNoLocation: (name: string, known: string | null) =>
      `The condition can never hold: there is no location “${name}”.${suggestion(known)}`,
    argumentsComplete: (count: number) =>
      count === 0 ? 'It needs no arguments.' : count === 1 ? 'Its argument fits.' : `Its ${count} arguments fit.`,
    unknownLocation: (action: string, name: string, known: string | null) =>
      `${action} has no location “${name}”.${suggestion(known)}`,
    noLocation: (name: string, known: string | null) => `There is no location “${name}”.${suggestion(known)}`,
    noRepresentation: (name: string, node: string, others: string) =>
      `${node} doesn’t know where “${name}” is: the location has ${
        others === '' ? 'no representations' : `representations only for ${others}`
      }.`,
    locationsKnown: (count: number) =>
      count === 1 ? 'Its location is known to the node.' : `Its ${count} locations are known to the node.`,
    unknownFile: (action: string, name: string, known: string | null) =>
      `${action} takes no file “${name}”.${suggestion(known)}`,
    filesDeclared: (count: number) => (count === 1 ? 'Its file is declared.' : `Its ${count} files are declared.`),
  },
  keys: {
    definition: {
      name: 'The name of the workflow.',
      workflow_definition_id: 'The ID of the definition; the manager creates one if it is omitted.',
      definition_metadata: 'Author, description and version.',
      description: 'The purpose of the workflow.',
      parameters: 'Values given at the start, or produced by a step for a later one.',
      steps: 'The steps, in the order of execution.',
      author: 'The author of the definition.',
      version: 'A number or a text.',
      ownership_info: 'The IDs of the owners.',
      json_inputs: 'Values given at the start.',
      file_inputs: 'Files given at the start.',
      feed_forward: 'Values and files that a step produces for a later one.',
      key: 'The name by which steps use it.',
      default: 'Used if no value is given; without a default, a value is required.',
      parameter_type: 'json_input, file_input, feed_forward_json or feed_forward_file.',
      step: 'The key, or the index from 0, of the step that produces it.',
      label: 'Which of that step’s results.',
      data_type: 'json, file or object_storage.',
      condition_type: 'What is checked before the step starts.',
      condition_name: 'The name of the condition.',
      location_name: 'The location that is checked.',
      location_id: 'The ID of the location.',
      resource_class: 'The class the resource must have.',
      resource_id: 'The ID of the resource.',
      resource_name: 'The name of the resource.',
      field: 'The field that is compared.',
      operator: 'How it is compared.',
      target_value: 'What it is compared with.',
    },
    step: {
      name: 'The name of the step.',
      key: 'The name by which others refer to the step; unique.',
      node: 'The node that executes it; omitted for the manager’s own actions.',
      action: 'The action that the node executes.',
      args: 'Values for the action, by argument.',
      locations: 'Names of locations, by argument.',
      files: 'Keys of file parameters, by argument.',
      use_parameters: 'Which parts of the step come from parameters.',
      conditions: 'What must be true before the step starts.',
      data_labels: 'Other names for its results.',
    },
  },
  builtIn: {
    target: 'Name of the location to bring it to',
  },
} as const;
