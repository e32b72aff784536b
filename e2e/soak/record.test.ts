import { beforeEach, describe, expect, it } from 'vitest';
import { LoadRecord } from './record.ts';

const minute = 60_000;
let record: LoadRecord;
beforeEach(() => {
  record = new LoadRecord();
  record.outages.push({ node: 'arm', from: 10 * minute, to: 13 * minute });
  record.stop = { pressedAt: 11 * minute, releasedAt: 12 * minute, unconfirmed: ['arm', 'reader'] };
});
const bannerText = 'Safety stop at 14:02 by lab-pc: 2 of 5 nodes not confirmed: arm, reader.';

describe('the recorded banner of a safety stop', () => {
  it.each([
    ['shown before the stop', bannerText, 10.9, 'the lab has not been stopped'],
    ['shown after the release', bannerText, 12.6, 'every node was released'],
    [
      'shown without a node that did not confirm',
      bannerText.replace(', reader', ''),
      11.8,
      'the lab is stopped, and reader did not confirm it',
    ],
    ['missing during the stop', null, 11.8, 'the lab is stopped, and arm, reader did not confirm it'],
  ])('is judged wrong: %s', (_name, text, at, reason) => {
    expect(record.judgeBanner(text, at * minute)).toBe(reason);
  });

  it.each([
    ['missing before the stop', null, 10.9],
    ['missing just after the press', null, 11.1],
    ['shown shortly before the release', bannerText, 11.9],
    ['shown just after the release', bannerText, 12.1],
    ['missing later', null, 14],
  ])('is judged correct: %s', (_name, text, at) => {
    expect(record.judgeBanner(text, at * minute)).toBeNull();
  });

  it('is judged wrong in a lab without a stop', () => {
    expect(new LoadRecord().judgeBanner(bannerText, 0)).toBe('the lab has not been stopped');
    expect(new LoadRecord().judgeBanner(null, 0)).toBeNull();
  });
});

describe('a node that is reported as not stopped', () => {
  it('is judged correct only if it did not confirm the stop in force', () => {
    expect(record.judgeNotStopped('arm', 11.8 * minute)).toBeNull();
    expect(record.judgeNotStopped('handler', 11.8 * minute)).toBe('it confirmed the safety stop');
    expect(record.judgeNotStopped('arm', 10.5 * minute)).toBe('no safety stop is in force');
    expect(record.judgeNotStopped('arm', 13 * minute)).toBe('no safety stop is in force');
  });
});

describe('the start of a node’s outage', () => {
  it.each([
    ['the start itself', 10],
    ['the next check of the service', 10.3],
  ])('is judged correct: %s', (_name, since) => {
    expect(record.judgeSince('arm', since * minute, 12 * minute)).toBeNull();
  });

  it.each([
    ['the time at which the manager renewed its error', 11.7],
    ['a time before the outage', 9.5],
    ['no time', null],
  ])('is judged wrong: %s', (_name, since) => {
    expect(record.judgeSince('arm', since === null ? null : since * minute, 12 * minute)).toMatch(/^it went at/);
  });

  it('is not judged for a node that the load did not make unreachable', () => {
    expect(record.judgeSince('handler', 1, 12 * minute)).toBeNull();
    expect(record.judgeSince('arm', 1, 13.1 * minute)).toBeNull();
  });
});
