/** An amount in words; by itself, because the Overview says it and the first page has no room for all words about resources. */
import { figure } from '../../base/texts.ts';

const small = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 4 });

/** 12,500; 0.0004 and not 0, however little there is. */
function amountFigure(value: number): string {
  const size = Math.abs(value);
  if (size === 0 || size >= 1) return figure(value);
  return size < 1e-6 ? value.toExponential(2).replace(/\.?0+e/, 'e') : small.format(value);
}

export const amountText = (value: number, unit: string): string =>
  unit === '' ? amountFigure(value) : `${amountFigure(value)} ${unit}`;
