import { describe, expect, it } from 'vitest';
import { againMs, holdMs, NotificationPolicy, type Subject } from './policy.ts';

const minute = 60_000;
const subject = (isBad: boolean | null, name = 'Data Manager'): Subject => ({
  key: `manager ${name}`,
  kind: 'manager',
  name,
  isBad,
  state: isBad ? 'unreachable' : 'healthy',
  reason: isBad ? 'connection refused' : '',
  path: '/',
});

/** A clock in steps of a second, and what is said in all of them. */
class Bench {
  readonly policy = new NotificationPolicy();
  readonly said: [seconds: number, title: string, body: string][] = [];
  now = 0;
  subjects: readonly Subject[] = [subject(false)];

  constructor() {
    this.pass(1);
  }

  pass(seconds: number): void {
    for (let count = 0; count < seconds; count += 1) {
      this.policy.observe(this.subjects, this.now);
      for (const { title, body } of this.policy.due(this.now)) this.said.push([this.now / 1000, title, body]);
      this.now += 1000;
    }
  }

  be(...states: readonly (boolean | null)[]): void {
    this.subjects = states.map((isBad, index) => subject(isBad, index === 0 ? 'Data Manager' : `Manager ${index}`));
  }

  get titles(): readonly string[] {
    return this.said.map(([, title]) => title);
  }
}

describe('a notification', () => {
  it('is sent when something went down and stays so, and when it is back', () => {
    const bench = new Bench();
    bench.be(true);
    bench.pass(20);
    bench.be(false);
    bench.pass(60);
    expect(bench.said).toEqual([
      [1 + holdMs / 1000, 'Data Manager: unreachable', 'connection refused'],
      [21 + holdMs / 1000, 'Data Manager is back', 'healthy'],
    ]);
  });

  it('is not sent for what was there at the start, nor for what is new', () => {
    const bench = new Bench();
    bench.be(false, true);
    bench.pass(120);
    bench.be(false, true, true);
    bench.pass(120);
    expect(bench.titles).toEqual([]);
  });

  it('is not sent for what lasts less than 15 s', () => {
    const bench = new Bench();
    bench.be(true);
    bench.pass(14);
    bench.be(false);
    bench.pass(300);
    expect(bench.titles).toEqual([]);
  });

  it('is sent for neither sleep nor wake, and not for what was so before', () => {
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
    bench.pass(holdMs / 1000 - 2);
    expect(bench.titles).toEqual([]);
    bench.pass(4);
    expect(bench.titles).toEqual(['Data Manager: unreachable']);
  });

  it('says the same once in ten minutes, then what happened meanwhile', () => {
    const bench = new Bench();
    for (let turn = 0; turn < 12; turn += 1) {
      bench.be(true);
      bench.pass(30);
      bench.be(false);
      bench.pass(30);
    }
    expect(bench.titles.slice(0, 2)).toEqual(['Data Manager: unreachable', 'Data Manager is back']);
    expect(bench.titles[2]).toMatch(/^Data Manager went down \d+ times in \d+ min$/);
    expect(bench.said).toHaveLength(3);
  });

  it('tells of something that never holds, too', () => {
    const bench = new Bench();
    for (let turn = 0; turn < 80; turn += 1) {
      bench.be(true);
      bench.pass(5);
      bench.be(false);
      bench.pass(5);
    }
    expect(bench.titles[0]).toMatch(/^Data Manager went down \d+ times in 10 min$/);
    expect(bench.said).toHaveLength(1);
  });

  it('is one where many are down at once, and one when they are back', () => {
    const bench = new Bench();
    bench.be(false, false, false, false, false, false, false, false);
    bench.pass(2);
    bench.be(true, true, true, true, true, true, true, true);
    bench.pass(30);
    expect(bench.said).toHaveLength(1);
    expect(bench.said[0]?.[1]).toBe('8 things need attention');
    expect(bench.said[0]?.[2]).toContain('and 2 more');
    bench.be(false, false, false, false, false, false, false, false);
    bench.pass(30);
    expect(bench.titles[1]).toBe('8 things are back');
  });

  it('is one, too, where they go down one after the other', () => {
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

  it('is of the kinds that are wanted, also where many are joined', () => {
    const policy = new NotificationPolicy();
    const nodes = [1, 2, 3].map((index) => ({ ...subject(false, `node ${index}`), kind: 'node' as const }));
    policy.observe([subject(false), ...nodes], 0);
    policy.observe([subject(true), ...nodes.map((node) => ({ ...node, isBad: true, state: 'error' }))], 1000);
    const said = policy.due(1000 + holdMs, (kind) => kind === 'node');
    expect(said.map(({ title }) => title)).toEqual(['node 1: error', 'node 2: error', 'node 3: error']);
  });

  it('makes no sum of what happens now and then', () => {
    const bench = new Bench();
    for (let turn = 0; turn < 4; turn += 1) {
      bench.be(true);
      bench.pass(5);
      bench.be(false);
      bench.pass(3600);
    }
    expect(bench.titles).toEqual([]);
  });

  it('tells of what happened once, at once', () => {
    const bench = new Bench();
    bench.policy.happened({
      kind: 'workflow_failed',
      level: 'problem',
      title: 'Assay failed',
      body: 'out of tips',
      path: '/workflows/1',
      at: 0,
      subjects: ['workflow 1'],
    });
    bench.pass(100);
    expect(bench.titles).toEqual(['Assay failed']);
  });

  it('forgets what is gone: when it comes again it is new', () => {
    const bench = new Bench();
    bench.subjects = [];
    bench.pass(1);
    bench.be(true);
    bench.pass(againMs / 1000 + minute / 1000);
    expect(bench.titles).toEqual([]);
  });
});
