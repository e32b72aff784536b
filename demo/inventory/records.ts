/** Datapoints that no workflow created: sensor readings and manual records of the last days. */
import type { OwnershipInfo } from '../../api/client/wire.ts';
import type { DemoClock } from '../base/clock.ts';
import type { DataManager } from '../data/manager.ts';
import type { Random } from '../base/random.ts';

const hour = 3_600_000;
const days = 3;

/** The smallest valid PNG: one pixel. */
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const bytes = (text: string) => new TextEncoder().encode(text);

/** Returns the readings of one day, one every 15 minutes. */
function series(random: Random, mean: number, swing: number): number[] {
  return Array.from({ length: 96 }, (_value, index) =>
    Number((mean + swing * Math.sin((index / 96) * 2 * Math.PI) + random.normal(0, swing / 8)).toFixed(2)),
  );
}

export function addRecords({ store }: DataManager, random: Random, clock: DemoClock): void {
  const now = clock.now();
  const ownership: OwnershipInfo = {};
  for (let day = days; day > 0; day--) {
    const at = now - day * 24 * hour;
    store.add({ label: 'room_temperature', ownership, at, value: series(random, 21.5, 0.8) });
    store.add({ label: 'incubator_humidity', ownership, at: at + hour, value: series(random, 84, 3) });
  }
  store.add({
    label: 'balance_calibration',
    ownership,
    at: now - 40 * hour,
    value: { instrument: 'balance', passed: true, weights_g: [1, 10, 100], deviation_mg: [0.02, 0.05, 0.31] },
  });
  const csv = 'weight_g,reading_g\n1,1.00002\n10,10.00005\n100,100.00031\n';
  const file = { filename: 'calibration.csv', bytes: bytes(csv) };
  store.add({ label: 'calibration.csv', ownership, at: now - 40 * hour, file });
  const id = random.ulid(now - 20 * hour);
  const photo = Uint8Array.from(Buffer.from(pixel, 'base64'));
  store.addObject({ id, label: 'deck_photo.png', at: now - 20 * hour, filename: 'deck_photo.png', bytes: photo });
}
