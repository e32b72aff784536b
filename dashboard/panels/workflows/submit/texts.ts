export const submitTexts = {
  title: 'Submit a workflow',
  noAddress: 'it has no address in the lab manager',
  definition: 'Definition',
  editorLabel: 'Workflow definition in YAML',
  open: 'Open a file',
  startFrom: 'Start from',
  examples: 'Examples',
  templates: 'Templates',
  fromWorkflow: (name: string, owned: boolean) =>
    `From the workflow ${name}.${owned ? ' Its owner is kept.' : ''} Select its files again.`,
  noProblems: 'No problems found.',
  problemCount: (errors: number, warnings: number, unchecked: number) =>
    [
      errors === 0 ? '' : `${errors} ${errors === 1 ? 'error' : 'errors'}`,
      warnings === 0 ? '' : `${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`,
      unchecked === 0 ? '' : `${unchecked} not checked`,
    ]
      .filter((part) => part !== '')
      .join(', '),
  line: (line: number) => `Line ${line}`,
  severity: { error: 'Error', warning: 'Warning', unchecked: 'Not checked' },

  form: 'Parameters and files',
  author: 'Author',

  check: 'Check',
  statuses: { ok: 'OK', problem: 'Problem', warning: 'Warning', unchecked: 'Not checked' },
  summary: {
    ok: 'Ready to submit.',
    warning: 'It can be sent; review the warnings.',
    problem: 'It would be refused, or fail.',
    unchecked: 'Not everything could be checked.',
  },
  managerNames: { workcell: 'Workcell', location: 'Location', data: 'Data' },

  submit: 'Submit',
  cannotSubmit: {
    form: 'Enter the missing values first.',
  },
  firstProblem: (where: string, problem: string) => `${where}: ${problem}`,
  outcome: {
    done: (name: string) => `${name} was submitted.`,
    open: 'Open the workflow',
    refusedStart: (reason: string) => `The manager did not start it: ${reason}.`,
    broken: (reason: string) => `It could not be sent: ${reason}.`,
  },

  template: {
    store: 'Keep',
    stored: (name: string) => `Saved as “${name}” in this browser.`,
    exists: (name: string) => `There is a template “${name}” already.`,
    notImported: (name: string, reason: string) => `${name} was not imported: ${reason}`,
  },

  examplesList: {
    wait: { title: 'Wait', description: 'Runs in every lab: no node moves.' },
    parameters: { title: 'Parameters', description: 'A value given at the start.' },
    transfer: { title: 'Transfer', description: 'Carry something between two locations.' },
    feed: { title: 'Pass a result to a later step', description: 'A later step uses the result of an earlier one.' },
    file: { title: 'With a file', description: 'A step that takes a file.' },
  },
} as const;
