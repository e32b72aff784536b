/** Words about locations that several panels use. */
export const locationTexts = {
  notTaken: 'The location manager did not take it over: somebody may have deleted the location.',
} as const;
