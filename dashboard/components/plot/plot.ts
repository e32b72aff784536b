/** Where the points, lines and ticks of a plot of numbers are. Pure. */

export interface Scale {
  readonly from: number;
  readonly to: number;
  /** Values that people count in, within the range. */
  readonly ticks: readonly number[];
}

/** A range with a little room that starts and ends at its ticks; about `count` of them. */
export function niceScale(least: number, most: number, count: number): Scale {
  if (!Number.isFinite(least) || !Number.isFinite(most)) return { from: 0, to: 1, ticks: [0, 1] };
  const flat = most - least === 0;
  const low = flat ? least - Math.max(Math.abs(least) * 0.1, 1e-12) : least;
  const high = flat ? most + Math.max(Math.abs(most) * 0.1, 1e-12) : most;
  const step = niceStep((high - low) / Math.max(1, count));
  const from = Math.floor(low / step);
  const to = Math.ceil(high / step);
  // Counted in steps, so that 0.1 + 0.2 isn't 0.30000000000000004.
  const ticks = Array.from({ length: to - from + 1 }, (_tick, index) => clean((from + index) * step, step));
  return { from: ticks[0] ?? low, to: ticks.at(-1) ?? high, ticks };
}

function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  const part = least / power;
  return (part <= 1 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10) * power;
}

function clean(value: number, step: number): number {
  const digits = Math.min(20, Math.max(0, 1 - Math.floor(Math.log10(step))));
  return Number(value.toFixed(digits));
}

/** The place of a value between 0 and 1. */
export function partOf(value: number, { from, to }: Pick<Scale, 'from' | 'to'>): number {
  return to === from ? 0.5 : (value - from) / (to - from);
}

/** A line through all points, in a box of `width` by `height`; `y` grows upwards. */
export function linePath(
  xs: readonly number[],
  ys: readonly number[],
  x: Scale,
  y: Scale,
  width: number,
  height: number,
): string {
  const points = ys.map((value, index) => {
    const left = partOf(xs[index] ?? 0, x) * width;
    const top = (1 - partOf(value, y)) * height;
    return `${left.toFixed(1)} ${top.toFixed(1)}`;
  });
  return points.length === 0 ? '' : `M${points.join('L')}`;
}

export function rangeOf(lists: readonly (readonly number[])[]): { readonly least: number; readonly most: number } {
  let least = Infinity;
  let most = -Infinity;
  for (const list of lists)
    for (const value of list) {
      if (value < least) least = value;
      if (value > most) most = value;
    }
  return { least, most };
}

/** The index of the x nearest to a place between 0 and 1. */
export function nearestIndex(xs: readonly number[], x: Scale, part: number): number {
  const wanted = x.from + part * (x.to - x.from);
  let best = 0;
  for (const [index, value] of xs.entries())
    if (Math.abs(value - wanted) < Math.abs((xs[best] ?? Infinity) - wanted)) best = index;
  return best;
}
