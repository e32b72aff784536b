/** Names of panels and pages, and what addresses them. */
export const panelTexts = {
  workcells: 'Workcells',
  node: 'Node',
  workflows: 'Workflows',
  workflow: 'Workflow',
  submit: 'Submit workflow',
} as const;
