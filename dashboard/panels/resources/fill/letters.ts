/** Letters as plates count rows: A is 1, Z 26, AA 27. Pure. */
import { rowName } from '../../../components/plate/plate.ts';

/** @param value from 1 */
export const letters = (value: number): string => rowName(value - 1);

export function numberOfLetters(text: string): number {
  return [...text.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
}
