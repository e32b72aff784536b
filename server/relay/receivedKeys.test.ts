import { expect, it } from 'vitest';
import { useManualClock } from '../../api/fixtures/manualClock.ts';
import { ReceivedKeys } from './receivedKeys.ts';

it('a key counts as repeated for ten minutes, separately for each sender', () => {
  const clock = useManualClock();
  const keys = new ReceivedKeys();
  expect(keys.isRepeated('ann', 'a')).toBe(false);
  clock.advance(600_000);
  expect(keys.isRepeated('ann', 'a')).toBe(true);
  expect(keys.isRepeated('bob', 'a')).toBe(false);
  clock.advance(1);
  expect(keys.isRepeated('ann', 'a')).toBe(false);
});

it('commands without a key are never repetitions, and the oldest of many keys is dropped', () => {
  useManualClock();
  const keys = new ReceivedKeys();
  expect([keys.isRepeated('ann', undefined), keys.isRepeated('ann', undefined)]).toEqual([false, false]);
  for (let index = 0; index <= 20_000; index += 1) keys.isRepeated('ann', String(index));
  expect([keys.isRepeated('ann', '20000'), keys.isRepeated('ann', '0')]).toEqual([true, false]);
});
