/** Titles of the pages, separate from the panels’ texts because the frame needs them before a panel is loaded. */

export const overviewTitle = 'Overview';
export const historyTitle = 'History of managers and nodes';

export const workcellsTitle = 'Workcells';

export const workflowTitles = { panel: 'Workflows', workflow: 'Workflow', submit: 'Submit a workflow' } as const;

export const experimentTitles = {
  panel: 'Experiments',
  experiment: 'Experiment',
  compare: 'Compare experiments',
} as const;

export const resourceTitles = {
  panel: 'Resources',
  resource: 'Resource',
  fill: 'Add many',
  import: 'Import resources',
  templates: 'Resource templates',
  template: 'Resource template',
} as const;

export const locationTitles = {
  panel: 'Locations',
  location: 'Location',
  templates: 'Location templates',
  planner: 'Transfer planner',
} as const;

export const dataTitles = { panel: 'Data', datapoint: 'Datapoint', compare: 'Compare datapoints' } as const;

export const eventTitles = { panel: 'Events', event: 'Event', utilization: 'Utilization' } as const;

export const timelineTitle = 'Timeline';

export const labTitle = 'Lab';

export const fleetTitle = 'Many labs';
