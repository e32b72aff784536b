/** Beside the panel’s other words because the frame needs it before the panel is loaded. */
export const overviewTitle = 'Overview';
export const historyTitle = 'History of the managers';
