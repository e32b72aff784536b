/** A number as people read it: 12,500. */
export function figure(count: number): string {
  return count.toLocaleString('en-US');
}
