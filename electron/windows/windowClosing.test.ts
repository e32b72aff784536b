import { expect, it, vi } from 'vitest';
import { decideClosing } from './windowClosing.ts';

vi.mock('electron', () => ({ app: {}, dialog: {}, Notification: {} }));

it.each([
  ['tray', null, true, 'hide'],
  ['tray', null, false, 'ask-without-tray'],
  ['tray', 'minimize', false, 'minimize'],
  ['tray', 'quit', true, 'hide'],
  ['ask', null, true, 'ask'],
  ['ask', 'quit', false, 'quit'],
  ['quit', null, true, 'quit'],
  ['quit', 'minimize', false, 'quit'],
] as const)(
  'closing with the choice %s, the choice %s without a tray and a tray (%s) results in %s',
  (closeWindow, closeWithoutTray, hasTray, closing) => {
    expect(decideClosing({ closeWindow, closeWithoutTray }, hasTray)).toBe(closing);
  },
);
