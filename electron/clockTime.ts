/** Times in the shell's sentences: `14:02`, and with the date when it isn't today's. Pure. */
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/** Local 24 h time. @param at ms since the epoch @param now ms since the epoch */
export function clockTime(at: number, now: number): string {
  const time = new Date(at);
  const pad = (n: number) => String(n).padStart(2, '0');
  const clock = `${pad(time.getHours())}:${pad(time.getMinutes())}`;
  const isToday = time.toDateString() === new Date(now).toDateString();
  return isToday ? clock : `${time.getDate()} ${months[time.getMonth()] ?? ''} ${clock}`;
}
