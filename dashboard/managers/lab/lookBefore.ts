/** When somebody looked at the Overview on the visit before this one. */
import { currentTime } from '../../base/clock.ts';
import { beforeKey, kept, visitGap } from './lastLook.ts';

/** ms since the epoch; `null` at the first visit. */
export function lookBefore(): number | null {
  const last = kept();
  return last !== null && currentTime() - last > visitGap ? last : kept(beforeKey);
}
