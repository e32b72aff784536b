/** Beside the panel’s other words because the frame needs them before the panel is loaded. */
export const dataTitles = { panel: 'Data', datapoint: 'Datapoint', compare: 'Compare datapoints' } as const;
