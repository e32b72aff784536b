/** Beside the panel’s other words because the frame needs them before the panel is loaded. */
export const eventTitles = { panel: 'Events', event: 'Event', utilization: 'Utilization' } as const;
