/** Beside the panel’s other words because the frame needs them before the panel is loaded. */
export const resourceTitles = {
  panel: 'Resources',
  resource: 'Resource',
  fill: 'Add many',
  import: 'Import resources',
  templates: 'Resource templates',
  template: 'Resource template',
} as const;
