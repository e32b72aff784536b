/** Beside the panel’s other words because the frame needs them before the panel is loaded. */
export const workflowTitles = { panel: 'Workflows', workflow: 'Workflow', submit: 'Submit workflow' } as const;
