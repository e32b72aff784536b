import { describe, expect, it } from 'vitest';
import { every, ManualClock, naiveText, RealClock } from './clock.ts';
import { Random } from './random.ts';

describe('the manual clock', () => {
  it('runs due callbacks in order of time, including those scheduled meanwhile', () => {
    const clock = new ManualClock(0);
    const calls: string[] = [];
    clock.after(20, () => calls.push(`b${clock.now()}`));
    clock.after(10, () => {
      calls.push(`a${clock.now()}`);
      clock.after(5, () => calls.push(`c${clock.now()}`));
    });
    const cancel = clock.after(12, () => calls.push('never'));
    cancel();
    clock.advance(30);
    expect(calls).toEqual(['a10', 'c15', 'b20']);
    expect(clock.now()).toBe(30);
  });

  it('repeats a callback until it is stopped', () => {
    const clock = new ManualClock(0);
    let times = 0;
    const stop = every(clock, 10, () => {
      times += 1;
      if (times === 3) stop();
    });
    clock.advance(100);
    expect(times).toBe(3);
  });

  it('shows a wrong time without changing durations', () => {
    const clock = new ManualClock(1000);
    clock.setError(-600);
    expect(clock.now()).toBe(400);
    let called = false;
    clock.after(10, () => {
      called = true;
    });
    clock.advance(10);
    expect(called).toBe(true);
  });
});

it('naiveText formats the host’s local time without a zone, with six fractional digits', () => {
  const local = new Date(2026, 10, 21, 2, 18, 54, 150);
  expect(naiveText(local.getTime())).toBe('2026-11-21T02:18:54.150000');
});

it('RealClock returns the time of the computer', () => {
  expect(Math.abs(new RealClock().now() - Date.now())).toBeLessThan(1000);
});

describe('the random generator', () => {
  const clock = new ManualClock(1_700_000_000_000);

  it('repeats its numbers for the same seed, and its streams are independent', () => {
    const draw = (random: Random) => [random.fraction(), random.int(1, 6), random.ulid()];
    expect(draw(new Random(7, clock))).toEqual(draw(new Random(7, clock)));
    expect(draw(new Random(7, clock))).not.toEqual(draw(new Random(8, clock)));
    const random = new Random(7, clock);
    const first = random.stream('a').fraction();
    random.fraction();
    expect(random.stream('a').fraction()).toBe(first);
    expect(random.stream('b').fraction()).not.toBe(first);
  });

  it('creates ULIDs that sort by time', () => {
    const random = new Random(7, clock);
    const ids = [
      random.ulid(clock.now() - 5),
      random.ulid(),
      random.ulid(),
      random.ulid(),
      random.ulid(clock.now() + 1),
    ];
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids).size).toBe(5);
    for (const id of ids) expect(id).toMatch(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
  });
});
