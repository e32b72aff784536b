/** How old what is on screen is: the oldest of it counts, wherever on the page it stands. */
import { onScopeDispose, shallowReactive, watchEffect } from 'vue';
import { age, elapsed, moment } from '../../base/time.ts';
import type { Live } from './live.ts';
import { componentTexts, feedbackTexts } from '../texts.ts';

/** What of a reading its age is told by. */
export type Aged = Pick<Live<unknown>, 'receivedAt' | 'interval' | 'stale' | 'failure'>;

/** By the component that shows them. */
const shown = shallowReactive(new Map<symbol, readonly Aged[]>());

/** Says that a component shows what was read; until it is gone, the age of it counts. */
export function useOnScreen(lives: () => readonly Aged[]): void {
  const component = Symbol('component');
  watchEffect(() => void shown.set(component, lives()));
  onScopeDispose(() => shown.delete(component));
}

export function livesOnScreen(): readonly Aged[] {
  return [...shown.values()].flat();
}

export interface Age {
  /** When the oldest came, ms since the epoch; `null` where nothing has come yet. */
  readonly at: number | null;
  /** Whether it may no longer be so. */
  readonly stale: boolean;
  /** Whether nothing came because somebody doesn't answer. */
  readonly failing: boolean;
}

/** What is read this often is expected to be as young, in ms; of the rest only what is late counts. */
const often = 5000;

/** The age of the oldest: of what may no longer be so, else of what is late or read all the time. */
export function ageOf(lives: readonly Aged[], now: number): Age {
  const stale = lives.filter((live) => live.stale.value);
  const late = ({ interval, receivedAt }: Aged): boolean =>
    interval.value > 0 && (interval.value <= often || now - (receivedAt.value ?? now) > interval.value + often);
  const aging = lives.filter(late);
  const counted = stale.length > 0 ? stale : aging.length > 0 ? aging : lives;
  const times = counted.flatMap(({ receivedAt }) => (receivedAt.value === null ? [] : [receivedAt.value]));
  return {
    at: times.length === 0 ? null : Math.min(...times),
    stale: stale.length > 0,
    failing: lives.some(({ failure }) => failure.value !== null),
  };
}

/** Younger is "just now", in ms: most readings come within it, and the words rest. */
const fresh = 5000;

/** `updated just now`, `updated 8 s ago`, `last seen 14:02`. */
export function describeAge(
  { at, stale, failing }: Age,
  now: number,
): { readonly lead: string; readonly text: string } {
  const texts = feedbackTexts.age;
  if (at === null) return { lead: '', text: failing ? texts.never : texts.waiting };
  if (stale) return { lead: '', text: texts.lastSeen(moment(at, now)) };
  return { lead: texts.updated, text: now - at < fresh ? texts.now : texts.ago(elapsed(now - at)) };
}

/** Since when something fails, and when it is tried again, in words. Pure. */
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
