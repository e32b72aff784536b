import { describe, expect, it } from 'vitest';
import { unreadFollowedLab } from '../../api/lab/followedLab.ts';
import { publicUrl, getSendingLab } from './sendingLab.ts';

it.each([
  ['http://lab-pc:8000/', null, 'http://lab-pc:8000/'],
  ['http://localhost:8000/', 'bench4', 'http://bench4:8000/'],
  ['http://localhost:8000/', 'auto', null],
  ['http://127.0.0.1:8000/', null, null],
])('publicUrl of %s, advertised as %s, is %s', (serverUrl, advertised, expected) => {
  expect(publicUrl(serverUrl, advertised)).toBe(expected);
});

describe('the sender of a notification', () => {
  const labInfo = { labName: 'Lab A', serverUrl: 'http://localhost:8000/', advertisedHost: 'bench-1' };
  const followed = { ...unreadFollowedLab('http://bench-2:8000/'), reported: null };

  it('has the name and address from the settings for this machine’s lab', () => {
    expect(getSendingLab(labInfo, { lab_name: 'Lab A' })).toEqual({ labName: 'Lab A', url: 'http://bench-1:8000/' });
    expect(getSendingLab(labInfo, null)).toEqual({ labName: 'Lab A', url: 'http://bench-1:8000/' });
  });

  it('has the name, machine and address of a followed lab', () => {
    const url = 'http://bench-2:8000/';
    expect(getSendingLab(labInfo, { lab_name: 'Lab B', followed })).toEqual({ labName: 'Lab B on bench-2', url });
    expect(getSendingLab(labInfo, { lab_name: null, followed })).toEqual({ labName: 'The lab on bench-2', url });
    const tunnel = unreadFollowedLab('http://localhost:9000/');
    expect(getSendingLab(labInfo, { lab_name: 'Lab B', followed: tunnel })).toEqual({
      labName: 'Lab B on localhost:9000',
      url: null,
    });
  });
});
