import { expect, it } from 'vitest';
import { attachedStatus, runningStatus } from '../fixtures/states.ts';
import { settingsNote } from './settingsTexts.ts';

const attached = attachedStatus();

it.each([
  ['its own lab', {}, null],
  ['the demo lab', { showsDemo: true }, /demo lab, which does not use these/],
  ['another machine’s lab', { followedUrl: 'http://lab-pc:8000/' }, /lab of http:\/\/lab-pc:8000\//],
  ['an attached service', { status: attached }, /started outside this app/],
])('settingsNote explains the settings of %s', (_name, shown, note) => {
  const message = settingsNote({ status: runningStatus(), showsDemo: false, followedUrl: null, ...shown });
  if (note === null) expect(message).toBeNull();
  else expect(message).toMatch(note);
});
