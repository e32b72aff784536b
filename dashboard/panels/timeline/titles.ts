/** What the frame needs before the panel is loaded. */
export const timelineTitle = 'Timeline';
