/** Beside the panel’s other words because the frame needs them before the panel is loaded. */
export const locationTitles = {
  panel: 'Locations',
  location: 'Location',
  templates: 'Location templates',
  planner: 'Transfer planner',
} as const;
