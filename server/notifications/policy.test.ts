import { describe, expect, it } from 'vitest';
import type { Subject } from './notification.ts';
import { repeatIntervalMs, minDurationMs, NotificationPolicy, minDurationAfterRestartMs } from './policy.ts';

const minute = 60_000;
/** The wall-clock start of a bench. */
const begin = new Date(2026, 0, 15, 12).getTime();
const subject = (isFailing: boolean | null, name = 'Data Manager'): Subject => ({
  key: `manager ${name}`,
  identity: 'http://bench/',
  kind: 'manager',
  name,
  isFailing,
  state: isFailing ? 'unreachable' : 'healthy',
  since: null,
  reason: isFailing ? 'connection refused' : '',
  path: '/',
});

/** A clock with steps of one second, and the notifications of all steps. */
class Bench {
  policy = new NotificationPolicy();
  reminderMs: number | null = null;
  readonly output: [seconds: number, title: string, body: string][] = [];
  now = 0;
  subjects: readonly Subject[] = [subject(false)];

  constructor() {
    this.pass(1);
  }

  pass(seconds: number): void {
    for (let count = 0; count < seconds; count += 1) {
      this.policy.observe(this.subjects, this.now);
      const due = this.policy.due(this.now, { reminderMs: this.reminderMs, wallNow: begin + this.now });
      for (const { title, body } of due) this.output.push([this.now / 1000, title, body]);
      this.now += 1000;
    }
  }

  be(...states: readonly (boolean | null)[]): void {
    this.subjects = states.map((isFailing, index) =>
      subject(isFailing, index === 0 ? 'Data Manager' : `Manager ${index}`),
    );
  }

  /** Simulates another run of the service that restores the state of this one. */
  restart(pauseSeconds: number): void {
    const remembered = this.policy.rememberedSubjects({ now: this.now, wallNow: begin + this.now });
    this.now += pauseSeconds * 1000;
    this.policy = new NotificationPolicy();
    const moment = { now: this.now, wallNow: begin + this.now };
    this.policy.restore(JSON.parse(JSON.stringify(remembered)) as typeof remembered, moment, pauseSeconds * 1000);
  }

  get titles(): readonly string[] {
    return this.output.map(([, title]) => title);
  }
}

describe('a notification', () => {
  it('is sent when a subject fails and stays down, and when it recovers', () => {
    const bench = new Bench();
    bench.be(true);
    bench.pass(20);
    bench.be(false);
    bench.pass(60);
    expect(bench.output).toEqual([
      [1 + minDurationMs / 1000, 'Data Manager: unreachable', 'connection refused'],
      [21 + minDurationMs / 1000, 'Data Manager is back', 'healthy'],
    ]);
  });

  it('is not sent for faults at the start or of new subjects', () => {
    const bench = new Bench();
    bench.be(false, true);
    bench.pass(120);
    bench.be(false, true, true);
    bench.pass(120);
    expect(bench.titles).toEqual([]);
  });

  it('is not sent for an outage of less than 15 s', () => {
    const bench = new Bench();
    bench.be(true);
    bench.pass(14);
    bench.be(false);
    bench.pass(300);
    expect(bench.titles).toEqual([]);
  });

  it('is not sent for sleep, wake or an earlier fault', () => {
    const bench = new Bench();
    bench.be(null);
    bench.pass(3600);
    bench.be(false);
    bench.pass(60);
    expect(bench.titles).toEqual([]);
    bench.be(true);
    bench.pass(10);
    bench.be(null);
    bench.pass(60);
    bench.be(true);
    bench.pass(minDurationMs / 1000 - 2);
    expect(bench.titles).toEqual([]);
    bench.pass(4);
    expect(bench.titles).toEqual(['Data Manager: unreachable']);
  });

  it('is sent once in ten minutes for a flapping subject, then with a summary', () => {
    const bench = new Bench();
    for (let turn = 0; turn < 12; turn += 1) {
      bench.be(true);
      bench.pass(30);
      bench.be(false);
      bench.pass(30);
    }
    expect(bench.titles.slice(0, 2)).toEqual(['Data Manager: unreachable', 'Data Manager is back']);
    expect(bench.titles[2]).toMatch(/^Data Manager went down \d+ times in \d+ min$/);
    expect(bench.output).toHaveLength(3);
  });

  it('is sent for a subject that flaps without a long outage', () => {
    const bench = new Bench();
    for (let turn = 0; turn < 80; turn += 1) {
      bench.be(true);
      bench.pass(5);
      bench.be(false);
      bench.pass(5);
    }
    expect(bench.titles[0]).toMatch(/^Data Manager went down \d+ times in 10 min$/);
    expect(bench.output).toHaveLength(1);
  });

  it('combines many simultaneous outages, and their recoveries', () => {
    const bench = new Bench();
    bench.be(false, false, false, false, false, false, false, false);
    bench.pass(2);
    bench.be(true, true, true, true, true, true, true, true);
    bench.pass(30);
    expect(bench.output).toHaveLength(1);
    expect(bench.output[0]?.[1]).toBe('8 things need attention');
    expect(bench.output[0]?.[2]).toContain('and 2 more');
    bench.be(false, false, false, false, false, false, false, false);
    bench.pass(30);
    expect(bench.titles[1]).toBe('8 things are back');
  });

  it('combines outages one shortly after the other', () => {
    const bench = new Bench();
    bench.be(false, false, false, false, false, false);
    bench.pass(2);
    for (let down = 1; down <= 6; down += 1) {
      bench.be(...Array.from({ length: 6 }, (_, index) => index < down));
      bench.pass(2);
    }
    bench.pass(60);
    expect(bench.titles).toEqual(['6 things need attention']);
  });

  it('is sent for the enabled kinds only, also in combinations', () => {
    const policy = new NotificationPolicy();
    const nodes = [1, 2, 3].map((index) => ({ ...subject(false, `node ${index}`), kind: 'node' as const }));
    policy.observe([subject(false), ...nodes], 0);
    policy.observe([subject(true), ...nodes.map((node) => ({ ...node, isFailing: true, state: 'error' }))], 1000);
    const notifications = policy.due(1000 + minDurationMs, { isEnabled: (kind) => kind === 'node' });
    expect(notifications.map(({ title }) => title)).toEqual(['node 1: error', 'node 2: error', 'node 3: error']);
  });

  it('is not sent for rare short outages', () => {
    const bench = new Bench();
    for (let turn = 0; turn < 4; turn += 1) {
      bench.be(true);
      bench.pass(5);
      bench.be(false);
      bench.pass(3600);
    }
    expect(bench.titles).toEqual([]);
  });

  it('is sent once and at once for an event', () => {
    const bench = new Bench();
    bench.policy.recordNotification({
      kind: 'workflow_failed',
      level: 'problem',
      title: 'Assay failed',
      body: 'out of tips',
      path: '/workflows/1',
      at: 0,
      since: null,
      subjects: ['workflow 1'],
      incidents: ['failed workflow 1'],
    });
    bench.pass(100);
    expect(bench.titles).toEqual(['Assay failed']);
  });

  it('treats a removed subject that returns as new', () => {
    const bench = new Bench();
    bench.subjects = [];
    bench.pass(1);
    bench.be(true);
    bench.pass(repeatIntervalMs / 1000 + minute / 1000);
    expect(bench.titles).toEqual([]);
  });
});

describe('the texts of notifications', () => {
  it('contain since when a subject is or was down', () => {
    const bench = new Bench();
    bench.subjects = [{ ...subject(true), since: begin - 30 * minute }];
    bench.pass(60);
    bench.subjects = [{ ...subject(false), since: begin + minute }];
    bench.pass(60);
    expect(bench.output.map(([, title, body]) => [title, body])).toEqual([
      ['Data Manager: unreachable', 'connection refused (since 11:30)'],
      ['Data Manager is back', 'healthy (unreachable since 11:30)'],
    ]);
  });

  it('a combination contains the time of the first outage', () => {
    const bench = new Bench();
    bench.be(false, false, false, false);
    bench.pass(2);
    bench.subjects = [0, 1, 2, 3].map((index) => {
      return { ...subject(true, index === 0 ? 'Data Manager' : `Manager ${index}`), since: begin - index * minute };
    });
    bench.pass(60);
    expect(bench.output[0]?.[2]).toMatch(/^Data Manager: unreachable; .* \(since 11:57\)$/);
  });
});

describe('a second outage', () => {
  it('is reported within 2 min if it lasts, and so is its end', () => {
    const bench = new Bench();
    bench.be(true);
    bench.pass(30);
    bench.be(false);
    bench.pass(60);
    const again = bench.now / 1000;
    bench.be(true);
    bench.pass(240);
    const back = bench.now / 1000;
    bench.be(false);
    bench.pass(240);
    expect(bench.titles).toEqual([
      'Data Manager: unreachable',
      'Data Manager is back',
      'Data Manager: unreachable',
      'Data Manager is back',
    ]);
    expect((bench.output[2]?.[0] ?? 0) - again).toBeLessThanOrEqual(120);
    expect((bench.output[3]?.[0] ?? 0) - back).toBeLessThanOrEqual(120);
  });
});

describe('a recovery', () => {
  it('is not reported for an outage that was there at the start', () => {
    const bench = new Bench();
    bench.be(false, true);
    bench.pass(60);
    bench.be(false, false);
    bench.pass(60);
    expect(bench.titles).toEqual([]);
  });

  it('is not reported when the address changed, because that is another manager', () => {
    const bench = new Bench();
    bench.be(true);
    bench.pass(60);
    bench.subjects = [{ ...subject(false), identity: 'http://other/' }];
    bench.pass(60);
    expect(bench.titles).toEqual(['Data Manager: unreachable']);
    bench.subjects = [{ ...subject(true), identity: 'http://other/' }];
    bench.pass(120);
    expect(bench.titles).toEqual(['Data Manager: unreachable', 'Data Manager: unreachable']);
  });
});

describe('a reminder', () => {
  const hour = 3600;
  it('is sent at each interval while a reported outage lasts, except while its state is unknown', () => {
    const bench = new Bench();
    bench.reminderMs = 4 * hour * 1000;
    bench.be(true);
    bench.pass(9 * hour);
    expect(bench.titles).toEqual([
      'Data Manager: unreachable',
      'Data Manager: still unreachable',
      'Data Manager: still unreachable',
    ]);
    bench.be(null);
    bench.pass(8 * hour);
    expect(bench.output).toHaveLength(3);
    bench.be(false);
    bench.pass(8 * hour);
    expect(bench.titles.slice(3)).toEqual(['Data Manager is back']);
  });

  it('is not sent when switched off or without a reported outage', () => {
    const off = new Bench();
    off.be(true);
    off.pass(9 * hour);
    expect(off.titles).toEqual(['Data Manager: unreachable']);
    const unreported = new Bench();
    unreported.reminderMs = hour * 1000;
    unreported.be(false, true);
    unreported.pass(3 * hour);
    expect(unreported.titles).toEqual([]);
  });

  it('combines several outages that were reported seconds apart', () => {
    const bench = new Bench();
    bench.reminderMs = hour * 1000;
    bench.be(false, false, false, false);
    bench.pass(2);
    for (let down = 1; down <= 4; down += 1) {
      bench.be(...Array.from({ length: 4 }, (_, index) => index < down));
      bench.pass(20);
    }
    const reported = bench.output.length;
    bench.pass(hour);
    expect(bench.titles.slice(reported)).toEqual(['4 things are still down']);
  });
});

describe('a restart of the service', () => {
  it('reports an outage that began shortly before it', () => {
    const bench = new Bench();
    bench.be(true);
    bench.pass(5);
    bench.restart(20);
    bench.be(null);
    bench.pass(2);
    bench.be(true);
    bench.pass(60);
    expect(bench.titles).toEqual(['Data Manager: unreachable']);
    expect(bench.output[0]?.[0]).toBeLessThanOrEqual(27 + 20);
  });

  it('reports an outage that began meanwhile after a delay for other services to start', () => {
    const bench = new Bench();
    bench.restart(20);
    bench.be(true);
    bench.pass(minDurationAfterRestartMs / 1000);
    expect(bench.titles).toEqual([]);
    bench.pass(20);
    expect(bench.titles).toEqual(['Data Manager: unreachable']);
  });

  it('ignores the state before a long pause', () => {
    const bench = new Bench();
    bench.restart(8 * 3600);
    bench.be(true);
    bench.pass(300);
    expect(bench.titles).toEqual([]);
  });

  it('reports no outage twice, and its end once', () => {
    const bench = new Bench();
    bench.be(true);
    bench.pass(60);
    bench.restart(5);
    bench.pass(3600);
    expect(bench.titles).toEqual(['Data Manager: unreachable']);
    bench.restart(5);
    bench.be(false);
    bench.pass(120);
    expect(bench.titles).toEqual(['Data Manager: unreachable', 'Data Manager is back']);
  });

  it('keeps the time of the next reminder', () => {
    const bench = new Bench();
    bench.reminderMs = 3_600_000;
    bench.be(true);
    bench.pass(1800);
    bench.restart(5);
    bench.pass(1900);
    expect(bench.titles).toEqual(['Data Manager: unreachable', 'Data Manager: still unreachable']);
  });

  it('starts again with another lab: its first message is not a recovery', () => {
    const bench = new Bench();
    bench.be(true);
    bench.pass(60);
    bench.restart(5);
    bench.subjects = [{ ...subject(false), identity: 'http://other/' }];
    bench.pass(3600);
    expect(bench.titles).toEqual(['Data Manager: unreachable']);
  });
});
