import { describe, expect, it } from 'vitest';
import type { LabStatus, Maintenance } from '../../api/lab/lab.ts';
import type { LabState } from '../../api/states.ts';
import { LabNews } from './labNews.ts';

const iso = new Date(0).toISOString();
const held = (...ids: readonly string[]): Maintenance[] =>
  ids.map((id) => ({ kind: 'manager', id, name: id, from: iso, until: iso }));
const lab = (state: LabState, maintenance: readonly Maintenance[] = []): LabStatus =>
  ({ lab_name: 'Bench', state, description: '', managers: [], maintenance }) as unknown as LabStatus;

/** Titles of what is said while the lab is so, each status for two minutes. */
function said(...statuses: readonly LabStatus[]): string[] {
  const news = new LabNews();
  let now = 0;
  return statuses.flatMap((status) =>
    Array.from({ length: 60 }, () => {
      now += 2000;
      news.observe(status, [], false, now);
      return news.due(now, ['lab']).map(({ title }) => title);
    }).flat(),
  );
}

describe('the lab’s own state', () => {
  it('is news when managers change', () => {
    expect(said(lab('healthy'), lab('down'), lab('healthy'))).toEqual(['Bench: down', 'Bench is back']);
  });

  it('is none when it is so because other managers are counted', () => {
    const broken = held('data', 'resource');
    expect(said(lab('healthy'), lab('down'), lab('healthy', broken), lab('down'))).toEqual(['Bench: down']);
    expect(said(lab('degraded'), lab('down', held('event', 'workcell')))).toEqual([]);
  });

  it('is news again when something changes while a maintenance goes on', () => {
    const one = held('data');
    expect(said(lab('healthy'), lab('healthy', one), lab('down', one))).toEqual(['Bench: down']);
  });
});
