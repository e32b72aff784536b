/** Beside the panel’s other words because the frame needs it before the panel is loaded. */
export const workcellsTitle = 'Workcells';
