/** Since when something fails, and when it is tried again, in words. Pure. */
import { componentTexts } from '../texts.ts';
import { age, elapsed, moment } from '../../base/time.ts';

export interface Failing {
  /** ms since the epoch. */
  readonly since?: number | null | undefined;
  readonly nextTry?: number | null | undefined;
  readonly trying?: boolean | undefined;
}

/** `since 14:02, 3 min, next try in 8 s`; empty when nothing of it is known. */
export function errorTail({ since, nextTry, trying }: Failing, now: number): string {
  const texts = componentTexts.error;
  const parts: string[] = [];
  if (since !== null && since !== undefined) parts.push(texts.since(moment(since, now), age(now - since)));
  if (trying === true) parts.push(texts.trying);
  else if (nextTry !== null && nextTry !== undefined) {
    parts.push(nextTry - now < 1000 ? texts.trying : texts.next(elapsed(nextTry - now)));
  }
  return parts.join(', ');
}
