import { describe, expect, it } from 'vitest';
import type { Subject } from './notification.ts';
import { repeatIntervalMs, minDurationMs, NotificationPolicy, minDurationAfterRestartMs } from './policy.ts';

const minute = 60_000;
/** The wall-clock start of a simulation. */
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
class Simulation {
  policy = new NotificationPolicy();
  reminderMs: number | null = null;
  readonly output: [seconds: number, title: string, body: string][] = [];
  now = 0;
  subjects: readonly Subject[] = [subject(false)];

  constructor() {
    this.advance(1);
  }

  advance(seconds: number): void {
    for (let count = 0; count < seconds; count += 1) {
      this.policy.observe(this.subjects, this.now);
      const due = this.policy.due(this.now, { reminderMs: this.reminderMs, wallNow: begin + this.now });
      for (const { title, body } of due) this.output.push([this.now / 1000, title, body]);
      this.now += 1000;
    }
  }

  setStates(...states: readonly (boolean | null)[]): void {
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
    const simulation = new Simulation();
    simulation.setStates(true);
    simulation.advance(20);
    simulation.setStates(false);
    simulation.advance(60);
    expect(simulation.output).toEqual([
      [1 + minDurationMs / 1000, 'Data Manager: unreachable', 'connection refused'],
      [21 + minDurationMs / 1000, 'Data Manager is back', 'healthy'],
    ]);
  });

  it('of a recovery is withdrawn if its subject fails again while it waits for another change', () => {
    const simulation = new Simulation();
    simulation.setStates(false, false);
    simulation.advance(1);
    simulation.setStates(true, false);
    simulation.advance(20);
    simulation.setStates(false, false);
    simulation.advance(10);
    simulation.setStates(false, true);
    simulation.advance(8);
    simulation.setStates(true, true);
    simulation.advance(60);
    expect(simulation.titles).toEqual(['Data Manager: unreachable', 'Manager 1: unreachable']);
    simulation.setStates(false, true);
    simulation.advance(95);
    expect(simulation.titles.slice(2)).toEqual(['Data Manager is back']);
  });

  it('is not sent for faults at the start or of new subjects', () => {
    const simulation = new Simulation();
    simulation.setStates(false, true);
    simulation.advance(120);
    simulation.setStates(false, true, true);
    simulation.advance(120);
    expect(simulation.titles).toEqual([]);
  });

  it('is not sent for an outage of less than 15 s', () => {
    const simulation = new Simulation();
    simulation.setStates(true);
    simulation.advance(14);
    simulation.setStates(false);
    simulation.advance(300);
    expect(simulation.titles).toEqual([]);
  });

  it('is not sent for unknown states, after which the minimum duration of an outage begins again', () => {
    const simulation = new Simulation();
    simulation.setStates(null);
    simulation.advance(3600);
    simulation.setStates(false);
    simulation.advance(60);
    expect(simulation.titles).toEqual([]);
    simulation.setStates(true);
    simulation.advance(10);
    simulation.setStates(null);
    simulation.advance(60);
    simulation.setStates(true);
    simulation.advance(minDurationMs / 1000 - 2);
    expect(simulation.titles).toEqual([]);
    simulation.advance(4);
    expect(simulation.titles).toEqual(['Data Manager: unreachable']);
  });

  it('is sent for the first outage of a flapping subject and its end, and then once as a summary', () => {
    const simulation = new Simulation();
    for (let turn = 0; turn < 12; turn += 1) {
      simulation.setStates(true);
      simulation.advance(30);
      simulation.setStates(false);
      simulation.advance(30);
    }
    expect(simulation.titles.slice(0, 2)).toEqual(['Data Manager: unreachable', 'Data Manager is back']);
    expect(simulation.titles[2]).toMatch(/^Data Manager went down \d+ times in \d+ min$/);
    expect(simulation.output).toHaveLength(3);
  });

  it('is sent once, as a summary, for many short outages of a subject', () => {
    const simulation = new Simulation();
    for (let turn = 0; turn < 80; turn += 1) {
      simulation.setStates(true);
      simulation.advance(5);
      simulation.setStates(false);
      simulation.advance(5);
    }
    expect(simulation.titles[0]).toMatch(/^Data Manager went down \d+ times in 10 min$/);
    expect(simulation.output).toHaveLength(1);
  });

  it('combines many simultaneous outages or recoveries', () => {
    const simulation = new Simulation();
    simulation.setStates(false, false, false, false, false, false, false, false);
    simulation.advance(2);
    simulation.setStates(true, true, true, true, true, true, true, true);
    simulation.advance(30);
    expect(simulation.output).toHaveLength(1);
    expect(simulation.output[0]?.[1]).toBe('8 things need attention');
    expect(simulation.output[0]?.[2]).toContain('and 2 more');
    simulation.setStates(false, false, false, false, false, false, false, false);
    simulation.advance(30);
    expect(simulation.titles[1]).toBe('8 things are back');
  });

  it('combines outages that begin shortly after each other', () => {
    const simulation = new Simulation();
    simulation.setStates(false, false, false, false, false, false);
    simulation.advance(2);
    for (let down = 1; down <= 6; down += 1) {
      simulation.setStates(...Array.from({ length: 6 }, (_, index) => index < down));
      simulation.advance(2);
    }
    simulation.advance(60);
    expect(simulation.titles).toEqual(['6 things need attention']);
  });

  it('is sent only for the enabled kinds, and only these count for a combination', () => {
    const policy = new NotificationPolicy();
    const nodes = [1, 2, 3].map((index) => ({ ...subject(false, `node ${index}`), kind: 'node' as const }));
    policy.observe([subject(false), ...nodes], 0);
    policy.observe([subject(true), ...nodes.map((node) => ({ ...node, isFailing: true, state: 'error' }))], 1000);
    const notifications = policy.due(1000 + minDurationMs, { enabledKinds: ['node'] });
    expect(notifications.map(({ title }) => title)).toEqual(['node 1: error', 'node 2: error', 'node 3: error']);
  });

  it('is not sent for rare short outages', () => {
    const simulation = new Simulation();
    for (let turn = 0; turn < 4; turn += 1) {
      simulation.setStates(true);
      simulation.advance(5);
      simulation.setStates(false);
      simulation.advance(3600);
    }
    expect(simulation.titles).toEqual([]);
  });

  it('is sent once for a failed workflow', () => {
    const simulation = new Simulation();
    simulation.policy.recordNotification({
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
    simulation.advance(100);
    expect(simulation.titles).toEqual(['Assay failed']);
  });

  it('is not sent for a removed subject that returns with a fault', () => {
    const simulation = new Simulation();
    simulation.subjects = [];
    simulation.advance(1);
    simulation.setStates(true);
    simulation.advance(repeatIntervalMs / 1000 + minute / 1000);
    expect(simulation.titles).toEqual([]);
  });
});

describe('the texts of notifications', () => {
  it('contain the time since which a subject is or was down', () => {
    const simulation = new Simulation();
    simulation.subjects = [{ ...subject(true), since: begin - 30 * minute }];
    simulation.advance(60);
    simulation.subjects = [{ ...subject(false), since: begin + minute }];
    simulation.advance(60);
    expect(simulation.output.map(([, title, body]) => [title, body])).toEqual([
      ['Data Manager: unreachable', 'connection refused (since 11:30)'],
      ['Data Manager is back', 'healthy (unreachable since 11:30)'],
    ]);
  });

  it('contain the time of the first outage in a combination', () => {
    const simulation = new Simulation();
    simulation.setStates(false, false, false, false);
    simulation.advance(2);
    simulation.subjects = [0, 1, 2, 3].map((index) => {
      return { ...subject(true, index === 0 ? 'Data Manager' : `Manager ${index}`), since: begin - index * minute };
    });
    simulation.advance(60);
    expect(simulation.output[0]?.[2]).toMatch(/^Data Manager: unreachable; .* \(since 11:57\)$/);
  });
});

describe('a second outage', () => {
  it('is reported within 2 min if it lasts, and so is its end', () => {
    const simulation = new Simulation();
    simulation.setStates(true);
    simulation.advance(30);
    simulation.setStates(false);
    simulation.advance(60);
    const again = simulation.now / 1000;
    simulation.setStates(true);
    simulation.advance(240);
    const back = simulation.now / 1000;
    simulation.setStates(false);
    simulation.advance(240);
    expect(simulation.titles).toEqual([
      'Data Manager: unreachable',
      'Data Manager is back',
      'Data Manager: unreachable',
      'Data Manager is back',
    ]);
    expect((simulation.output[2]?.[0] ?? 0) - again).toBeLessThanOrEqual(120);
    expect((simulation.output[3]?.[0] ?? 0) - back).toBeLessThanOrEqual(120);
  });
});

describe('a recovery', () => {
  it('is not reported for an outage that was there at the start', () => {
    const simulation = new Simulation();
    simulation.setStates(false, true);
    simulation.advance(60);
    simulation.setStates(false, false);
    simulation.advance(60);
    expect(simulation.titles).toEqual([]);
  });

  it('is not reported when the address changed, because that is another manager', () => {
    const simulation = new Simulation();
    simulation.setStates(true);
    simulation.advance(60);
    simulation.subjects = [{ ...subject(false), identity: 'http://other/' }];
    simulation.advance(60);
    expect(simulation.titles).toEqual(['Data Manager: unreachable']);
    simulation.subjects = [{ ...subject(true), identity: 'http://other/' }];
    simulation.advance(120);
    expect(simulation.titles).toEqual(['Data Manager: unreachable', 'Data Manager: unreachable']);
  });
});

describe('a reminder', () => {
  const hour = 3600;
  it('is sent at each interval while a reported outage lasts, except while its state is unknown', () => {
    const simulation = new Simulation();
    simulation.reminderMs = 4 * hour * 1000;
    simulation.setStates(true);
    simulation.advance(9 * hour);
    expect(simulation.titles).toEqual([
      'Data Manager: unreachable',
      'Data Manager: still unreachable',
      'Data Manager: still unreachable',
    ]);
    simulation.setStates(null);
    simulation.advance(8 * hour);
    expect(simulation.output).toHaveLength(3);
    simulation.setStates(false);
    simulation.advance(8 * hour);
    expect(simulation.titles.slice(3)).toEqual(['Data Manager is back']);
  });

  it('is not sent when switched off or without a reported outage', () => {
    const off = new Simulation();
    off.setStates(true);
    off.advance(9 * hour);
    expect(off.titles).toEqual(['Data Manager: unreachable']);
    const unreported = new Simulation();
    unreported.reminderMs = hour * 1000;
    unreported.setStates(false, true);
    unreported.advance(3 * hour);
    expect(unreported.titles).toEqual([]);
  });

  it('combines several outages that were reported seconds apart', () => {
    const simulation = new Simulation();
    simulation.reminderMs = hour * 1000;
    simulation.setStates(false, false, false, false);
    simulation.advance(2);
    for (let down = 1; down <= 4; down += 1) {
      simulation.setStates(...Array.from({ length: 4 }, (_, index) => index < down));
      simulation.advance(20);
    }
    const reported = simulation.output.length;
    simulation.advance(hour);
    expect(simulation.titles.slice(reported)).toEqual(['4 things are still down']);
  });
});

describe('a restart of the service', () => {
  it('reports an outage that began shortly before it', () => {
    const simulation = new Simulation();
    simulation.setStates(true);
    simulation.advance(5);
    simulation.restart(20);
    simulation.setStates(null);
    simulation.advance(2);
    simulation.setStates(true);
    simulation.advance(60);
    expect(simulation.titles).toEqual(['Data Manager: unreachable']);
    expect(simulation.output[0]?.[0]).toBeLessThanOrEqual(27 + 20);
  });

  it('reports an outage that began meanwhile only after a delay, in which other services can start', () => {
    const simulation = new Simulation();
    simulation.restart(20);
    simulation.setStates(true);
    simulation.advance(minDurationAfterRestartMs / 1000);
    expect(simulation.titles).toEqual([]);
    simulation.advance(20);
    expect(simulation.titles).toEqual(['Data Manager: unreachable']);
  });

  it('ignores the state before a long pause', () => {
    const simulation = new Simulation();
    simulation.restart(8 * 3600);
    simulation.setStates(true);
    simulation.advance(300);
    expect(simulation.titles).toEqual([]);
  });

  it('reports no outage twice, and its end once', () => {
    const simulation = new Simulation();
    simulation.setStates(true);
    simulation.advance(60);
    simulation.restart(5);
    simulation.advance(3600);
    expect(simulation.titles).toEqual(['Data Manager: unreachable']);
    simulation.restart(5);
    simulation.setStates(false);
    simulation.advance(120);
    expect(simulation.titles).toEqual(['Data Manager: unreachable', 'Data Manager is back']);
  });

  it('keeps the time of the next reminder', () => {
    const simulation = new Simulation();
    simulation.reminderMs = 3_600_000;
    simulation.setStates(true);
    simulation.advance(1800);
    simulation.restart(5);
    simulation.advance(1900);
    expect(simulation.titles).toEqual(['Data Manager: unreachable', 'Data Manager: still unreachable']);
  });

  it('reports no recovery when the settings select another lab', () => {
    const simulation = new Simulation();
    simulation.setStates(true);
    simulation.advance(60);
    simulation.restart(5);
    simulation.subjects = [{ ...subject(false), identity: 'http://other/' }];
    simulation.advance(3600);
    expect(simulation.titles).toEqual(['Data Manager: unreachable']);
  });
});
