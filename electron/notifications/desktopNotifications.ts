/** Desktop notifications on this machine: the lab's enabled notifications, and the app's. */
import { clock } from '../../api/time/clock.ts';
import type { DesktopDelivery } from '../../api/diagnostics.ts';
import type { LabStatus } from '../../api/lab/lab.ts';
import type { Notification } from '../../server/channels/channel.ts';
import type { Notice } from '../ipc/contract.ts';
import { showNotification, supportsNotifications } from '../windows/dialogs.ts';
import { shouldShow, updateMutes, formatTitle } from './notifications.ts';
import type { PreferencesFile } from '../preferences/preferences.ts';
import type { LabWindow } from '../windows/labWindow.ts';

export class DesktopNotifications {
  readonly #preferences: PreferencesFile;
  readonly #window: () => LabWindow | null;
  #lastDelivery: Pick<DesktopDelivery, 'shownAt' | 'failure'> = { shownAt: null, failure: null };
  /** The texts of the important notices at the last call of `showNewNotices`. */
  #currentNoticeTexts: ReadonlySet<string> = new Set();

  constructor(preferences: PreferencesFile, window: () => LabWindow | null) {
    this.#preferences = preferences;
    this.#window = window;
  }

  /** Shows a lab notification, unless it is muted or its page is in view; a click opens that page. */
  show(notification: Notification, lab: LabStatus | null): void {
    const { mutedUntil, mutedSubjects, notifications } = this.#preferences.values;
    const visibleUrl = this.#window()?.visibleUrl ?? null;
    if (!shouldShow(notification, { enabled: notifications, mutedUntil, mutedSubjects, visibleUrl, now: clock.now() }))
      return;
    const { body, path } = notification;
    this.#showNotification(formatTitle(notification, lab), body, () => this.#window()?.showPage(path));
  }

  /**
   * Shows new notices about invalid settings or a needed restart as notifications too, for users who don't have the window
   * in view.
   */
  showNewNotices(notices: readonly Notice[]): void {
    const importantNotices = notices.filter(({ id }) => id === 'settings-errors' || id === 'restart-needed');
    const texts = new Set(importantNotices.map(({ text }) => text));
    const newTexts = [...texts].filter((text) => !this.#currentNoticeTexts.has(text));
    this.#currentNoticeTexts = texts;
    if (!this.#preferences.values.notifications) return;
    for (const text of newTexts) this.#showNotification('Lab Manager', text, () => this.#window()?.show());
  }

  /** The state and the last result of notifications on this desktop. */
  get delivery(): DesktopDelivery {
    const { mutedUntil, notifications } = this.#preferences.values;
    return { enabled: notifications, supported: supportsNotifications(), mutedUntil, ...this.#lastDelivery };
  }

  #showNotification(title: string, body: string, onClick: () => void): void {
    showNotification(title, body, {
      onClick,
      onShown: () => (this.#lastDelivery = { shownAt: clock.now(), failure: null }),
      onFailed: (reason) => (this.#lastDelivery = { ...this.#lastDelivery, failure: { at: clock.now(), reason } }),
    });
  }

  /**
   * Mutes the lab's notifications on this machine, or unmutes them.
   * @param subject the subject to mute; `null` for all
   * @param until in ms since the epoch; `null` unmutes
   * @throws Error with a user-facing message when the time is in the past
   */
  mute(subject: string | null, until: number | null): void {
    if (until !== null && until <= clock.now()) throw new Error('Muting must end in the future');
    const { mutedUntil, mutedSubjects } = updateMutes(this.#preferences.values, subject, until, clock.now());
    this.#preferences.change({ mutedUntil, mutedSubjects: { ...mutedSubjects } });
  }
}
