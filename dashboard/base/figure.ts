/** Made once: making one takes longer than the rest of drawing a line. */
const format = new Intl.NumberFormat('en-US');

/** A number as people read it: 12,500. */
export function figure(count: number): string {
  return format.format(count);
}
