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
    twice: (one: string, other: string) => `“${one}” and “${other}” are two spellings of the same key: give one.`,
    notText: (value: string) => `This must be text, not ${value}. Put it in quotes.`,
    notMap: 'This must be keys with values.',
    feedStep: (key: string) => `${key} needs the step it comes from: its key, or its index from 0.`,
    conditionType: (known: string, name: string | null) => `A condition’s type is one of ${known}.${suggestion(name)}`,
    conditionMissing: (key: string) => `This condition needs ${key}.`,
    conditionNumber: (field: string) => `${field} is a number, so target_value must be a number.`,
    conditionText: (field: string) => `${field} is a text, so target_value must be a text.`,
    operator: (known: string) => `The operator is one of ${known}.`,
  },
  references: {
    stepKeyTwice: (key: string) => `Another step has the key “${key}” already.`,
    parameterTwice: (key: string) => `Another parameter has the key “${key}” already.`,
    unknownParameter: (key: string, known: string | null) => `There is no parameter “${key}”.${suggestion(known)}`,
    notFile: (key: string) => `“${key}” is a value, not a file.`,
    onlyFile: (key: string) => `“${key}” is a file; it can only be used under files.`,
    feedInto: (key: string, what: string) =>
      `“${key}” is only known while the workflow runs, too late for a step’s ${what}.`,
    feedLate: (key: string, step: string, same: boolean) =>
      `“${key}” comes from ${same ? 'this very step' : `step ${step}, which runs later`}.`,
    feedFrom: (key: string, step: string, known: string | null) =>
      `“${key}” comes from the step “${step}”, which isn’t there.${suggestion(known)}`,
    unused: (key: string) => `No step uses “${key}”.`,
    givenTwice: (argument: string, key: string) =>
      `“${argument}” is also set by the parameter “${key}”, which has precedence.`,
  },
  lab: {
    node: (node: string) => `Node ${node} is in this workcell.`,
    nodeFrom: (key: string) => `The node comes from the parameter “${key}”.`,
    nodeSilent: (node: string) => `Not checked whether there is a node ${node}: the workcell manager did not respond.`,
    noNode: (node: string, known: string | null) => `This workcell has no node “${node}”.${suggestion(known)}`,
    hasBuiltIn: (action: string) => `${action} is one of its own actions.`,
    noBuiltIn: (action: string, known: string, name: string | null, owner: string | null) =>
      `Without a node, the action is one of ${known}, not “${action}”.${
        owner === null
          ? suggestion(name)
          : ` The node ${owner} has an action of that name: is “node: ${owner}” missing?`
      }`,
    noStatus: (node: string) => `The state of ${node} has not been read yet.`,
    disconnected: (node: string) => `The workcell manager can’t reach ${node}: the step waits until it can.`,
    notReady: (node: string, reason: string) =>
      `${node}: ${reason === '' ? 'not ready' : reason}. The step waits for it.`,
    ready: (node: string) => `${node} is ready.`,
    busy: (node: string) => `${node} is busy; the step is queued.`,
    planned: (nodes: string) => (nodes === '' ? 'It is there already.' : `A transfer is possible; moved by ${nodes}.`),
    noTransfer: (source: string, target: string, reason: string) =>
      `No transfer is possible from “${source}” to “${target}”: ${reason}.`,
    notPlanned: (source: string, target: string, reason: string) =>
      `Not checked whether there is a path from “${source}” to “${target}”${reason === '' ? '.' : `: ${reason}.`}`,
    occupied: (location: string) => `Something lies at “${location}”.`,
    isFull: (location: string) => `“${location}” is occupied now, and the step puts something there.`,
    empty: (location: string) => `Nothing is recorded at “${location}”, the source of the step.`,
    unrecorded: (location: string) =>
      `Not checked whether anything lies at “${location}”: it has no resource that would record it.`,
    contentUnknown: (location: string, reason: string) =>
      `Not checked whether anything lies at “${location}”: ${reason}.`,
    action: (node: string, action: string) => `${node} has the action ${action}.`,
    actionFrom: (key: string) => `The action comes from the parameter “${key}”.`,
    noInfo: (node: string) => `Not checked: ${node} has not reported its actions yet.`,
    noAction: (node: string, action: string, known: string | null) =>
      `${node} has no action “${action}”.${suggestion(known)}`,
    missingArgument: (action: string, name: string, type: string) =>
      `${action} needs the argument “${name}”${type === '' ? '' : ` (${type})`}.`,
    unknownArgument: (action: string, name: string, known: string | null) =>
      `${action} has no argument “${name}”.${suggestion(known)}`,
    isLocation: (name: string) => `“${name}” is a location: put it under locations.`,
    isFile: (name: string) => `“${name}” is a file: put it under files.`,
    validateValue: (name: string, type: string, problem: string) =>
      `“${name}”${type === '' ? '' : ` (${type})`}: ${problem}`,
    converted: (name: string, type: string, problem: string) =>
      `“${name}”${type === '' ? '' : ` (${type})`}: ${problem} The node converts it.`,
    beyondStated: (name: string, value: string, limits: string) =>
      `“${name}”: ${value} is out of the range that its description states: ${limits}.`,
    notId: (name: string, value: string) => `“${name}”: “${value}” is not an ID, which has 26 characters.`,
    conditionNoLocation: (name: string, known: string | null) =>
      `The condition can never hold: there is no location “${name}”.${suggestion(known)}`,
    nullValue: (name: string, type: string) => `“${name}” (${type}) is given as null.`,
    argumentsComplete: (count: number) =>
      count === 0 ? 'It needs no arguments.' : count === 1 ? 'Its argument fits.' : `Its ${count} arguments fit.`,
    missingLocation: (action: string, name: string) => `${action} needs the location “${name}”.`,
    unknownLocation: (action: string, name: string, known: string | null) =>
      `${action} has no location “${name}”.${suggestion(known)}`,
    locationNotText: (name: string) => `“${name}” must be the name of a location.`,
    locationLater: (name: string) => `“${name}” isn’t known yet: its parameter has no value.`,
    locationSilent: (name: string) =>
      `Not checked whether there is a location ${name}: the location manager did not respond.`,
    noLocation: (name: string, known: string | null) => `There is no location “${name}”.${suggestion(known)}`,
    noRepresentation: (name: string, node: string, others: string) =>
      `${node} doesn’t know where “${name}” is: the location has ${
        others === '' ? 'no representations' : `representations only for ${others}`
      }.`,
    locationsKnown: (count: number) =>
      count === 1 ? 'Its location is known to the node.' : `Its ${count} locations are known to the node.`,
    missingFile: (action: string, name: string) => `${action} needs the file “${name}”.`,
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
  hover: {
    default: (value: string) => `default ${value}`,
  },
} as const;
