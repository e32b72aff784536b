/** The range "last night", which panels offer in one press. Pure. */

export const lastNightTexts = {
  title: 'Last night',
  hint: 'From 18:00 yesterday to 08:00 today',
} as const;

/** From 18:00 yesterday to 08:00 today, by this machine's clock: the time in which nobody is in the lab as a rule. */
export function lastNight(now: number): { readonly from: number; readonly to: number } {
  const today = new Date(now);
  const [year, month, date] = [today.getFullYear(), today.getMonth(), today.getDate()];
  return { from: new Date(year, month, date - 1, 18).getTime(), to: new Date(year, month, date, 8).getTime() };
}
