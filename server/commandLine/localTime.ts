/** A time as it is printed: `2026-03-02 18:00`, by this machine's clock. @param iso ISO 8601 */
export function localTime(iso: string): string {
  const time = new Date(iso);
  const two = (value: number) => String(value).padStart(2, '0');
  const date = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join('-');
  return `${date} ${two(time.getHours())}:${two(time.getMinutes())}`;
}
