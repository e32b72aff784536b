/** The roles of people who use the lab manager, from the fewest rights to the most. */
export const roles = ['viewer', 'operator', 'administrator'] as const;
export type Role = (typeof roles)[number];
