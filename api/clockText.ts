const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/** Local time in texts: `14:02` today, else `19 Nov 14:02`. @param at ms since the epoch @param now ms since the epoch */
export function clockText(at: number, now: number): string {
  const time = new Date(at);
  const pad = (n: number) => String(n).padStart(2, '0');
  const clock = `${pad(time.getHours())}:${pad(time.getMinutes())}`;
  const isToday = time.toDateString() === new Date(now).toDateString();
  return isToday ? clock : `${time.getDate()} ${months[time.getMonth()] ?? ''} ${clock}`;
}
