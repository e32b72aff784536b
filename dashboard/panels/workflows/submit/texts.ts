export const submitTexts = {
  title: 'Submit a workflow',
  noAddress: 'it has no address in the lab manager',
  definition: 'Definition',
  editorLabel: 'Workflow definition in YAML',
  open: 'Open a file',
  startFrom: 'Start from',
  examples: 'Examples',
  templates: 'Templates',
  opened: (name: string) => `${name} is open.`,
  openFailed: (name: string, reason: string) => `${name} could not be opened: ${reason}`,
  tooLarge: (size: string) => `it is larger than a definition can be (${size}).`,
  fromWorkflow: (name: string, owned: boolean) =>
    `From the workflow ${name}.${owned ? ' Its owner is kept.' : ''} Select its files again.`,
  fromPage: (page: string) => `From ${page}. Nothing is sent before you submit it.`,
  fromFailed: (reason: string) => `The workflow to start from could not be read. ${reason}`,
  restoredDraft: (when: string) => `Your draft from ${when} was restored. Select its files again.`,
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
  lineColumn: (line: number, column: number) => `line ${line}, character ${column}`,
  severity: { error: 'Error', warning: 'Warning', unchecked: 'Not checked' },
  more: (count: number) => `${count} more`,

  form: 'Parameters and files',
  author: 'Author',
  ownerParts: (parts: string) => `kept from that workflow: ${parts}`,

  check: 'Check',
  checkedAt: (time: string) => `checked at ${time}`,
  statuses: { ok: 'OK', problem: 'Problem', warning: 'Warning', unchecked: 'Not checked' },
  summary: {
    ok: 'Ready to submit.',
    warning: 'It can be sent; review the warnings.',
    problem: 'It would be refused, or fail.',
    unchecked: 'Not everything could be checked.',
  },
  well: (count: number) => `${count} without findings`,
  answers: (manager: string) => `${manager} manager answers.`,
  silent: (manager: string, reason: string) => `${manager} manager does not answer: ${reason}`,
  stuck: (reason: string) =>
    `The workcell is in an error state and starts no step until its manager restarts: ${reason}`,
  managerNames: { workcell: 'Workcell', location: 'Location', data: 'Data' },

  submit: 'Submit',
  cannotSubmit: {
    form: 'Enter the missing values first.',
  },
  firstProblem: (where: string, problem: string) => `${where}: ${problem}`,
  outcome: {
    done: (name: string) => `${name} was submitted.`,
    open: 'Open the workflow',
    refusedDefinition: (reason: string) => `The manager refuses this definition: ${reason}.`,
    refusedStart: (reason: string) => `The manager did not start it: ${reason}.`,
    limited: (wait: string) => `The manager is busy: too many requests.${wait} Nothing was started.`,
    limitedWait: (time: string) => ` It takes more in ${time}.`,
    unreachable: (reason: string) => `The workcell manager could not be reached, so nothing was started: ${reason}.`,
    unclearDefinition: (reason: string) =>
      `No readable answer to the definition (${reason}). Nothing was started yet: you can submit again.`,
    unclearStart: (reason: string) =>
      `No readable answer to the start (${reason}). It may have been started: look in the list of active workflows before sending again.`,
    lostStart: (reason: string) =>
      `The definition arrived, then the workcell manager could no longer be reached (${reason}). It may have been started: look in the list of active workflows before sending again.`,
    broken: (reason: string) => `It could not be sent: ${reason}.`,
    maybe: (name: string, time: string) => `“${name}” may have been started at ${time}.`,
    noCandidate: (name: string) =>
      `No workflow “${name}” is in the list of active workflows or in the archive since then.`,
  },

  template: {
    store: 'Keep',
    stored: (name: string) => `Saved as “${name}” in this browser.`,
    exists: (name: string) => `There is a template “${name}” already.`,
    use: (name: string) => `Use: ${name}`,
    exportOne: (name: string) => `Save as file: ${name}`,
    removeOne: (name: string) => `Delete: ${name}`,
    removeSure: (name: string) => `Delete “${name}”?`,
    imported: (names: string) => `Imported ${names}.`,
    notImported: (name: string, reason: string) => `${name} was not imported: ${reason}`,
    tooLarge: (limit: string) => `It is larger than a template may be (${limit}). Save it as a file instead.`,
    corrupt: (key: string) => `The stored template ${key} can’t be read. It is still here as text:`,
  },

  examplesList: {
    wait: { title: 'Wait', description: 'Runs in every lab: no node moves.' },
    parameters: { title: 'Parameters', description: 'A value given at the start.' },
    transfer: { title: 'Transfer', description: 'Carry something between two locations.' },
    feed: { title: 'Pass a result to a later step', description: 'A later step uses the result of an earlier one.' },
    file: { title: 'With a file', description: 'A step that takes a file.' },
  },
} as const;
