/** An amount in words; by itself, because the Overview says it and the first page has no room for all words about resources. */
import { figure } from '../../base/figure.ts';

export const amountText = (value: number, unit: string): string =>
  unit === '' ? figure(value) : `${figure(value)} ${unit}`;
