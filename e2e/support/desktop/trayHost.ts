/**
 * The tray and notification area of a desktop on the session bus, without a screen: apps register their icon with it, and
 * a test reads and clicks the items that a user would see. Source: the StatusNotifierWatcher interface of KDE,
 * and the Desktop Notifications specification 1.2.
 */
import dbus, { type MessageBus } from 'dbus-next';
import { TrayItem } from './trayItem.ts';

const { Interface, ACCESS_READ } = dbus.interface;

class Watcher extends Interface {
  readonly items: string[] = [];
  hasHost = true;
  RegisterStatusNotifierItem(service: string): void {
    this.items.push(service);
  }
  RegisterStatusNotifierHost(): void {
    this.hasHost = true;
  }
  get RegisteredStatusNotifierItems(): string[] {
    return this.items;
  }
  get IsStatusNotifierHostRegistered(): boolean {
    return this.hasHost;
  }
  get ProtocolVersion(): number {
    return 0;
  }
}
Watcher.configureMembers({
  methods: {
    RegisterStatusNotifierItem: { inSignature: 's', outSignature: '' },
    RegisterStatusNotifierHost: { inSignature: '', outSignature: '' },
  },
  properties: {
    RegisteredStatusNotifierItems: { signature: 'as', access: ACCESS_READ },
    IsStatusNotifierHostRegistered: { signature: 'b', access: ACCESS_READ },
    ProtocolVersion: { signature: 'i', access: ACCESS_READ },
  },
});

export interface ShownNotification {
  readonly summary: string;
  readonly body: string;
}

class Notifications extends Interface {
  readonly shown: ShownNotification[] = [];
  GetCapabilities(): string[] {
    return ['body', 'actions'];
  }
  GetServerInformation(): string[] {
    return ['test desktop', 'tests', '1', '1.2'];
  }
  // The specification defines these eight arguments.
  Notify(_app: string, _replaces: number, _icon: string, summary: string, body: string): number {
    this.shown.push({ summary, body });
    return this.shown.length;
  }
  CloseNotification(): void {
    return undefined;
  }
  /** Signal: a user clicked the notification. */
  ActionInvoked(id: number, action: string): [number, string] {
    return [id, action];
  }
}
Notifications.configureMembers({
  methods: {
    GetCapabilities: { inSignature: '', outSignature: 'as' },
    GetServerInformation: { inSignature: '', outSignature: 'ssss' },
    Notify: { inSignature: 'susssasa{sv}i', outSignature: 'u' },
    CloseNotification: { inSignature: 'u', outSignature: '' },
  },
  signals: { ActionInvoked: { signature: 'us' } },
});

/** A tray whose item is the icon of the newest app. */
export class TrayHost extends TrayItem {
  readonly #bus: MessageBus;
  readonly #watcher: Watcher;
  readonly #notifications: Notifications;

  private constructor(bus: MessageBus, watcher: Watcher, notifications: Notifications) {
    super(bus, () => watcher.items.at(-1) ?? null);
    this.#bus = bus;
    this.#watcher = watcher;
    this.#notifications = notifications;
  }

  /** @param options `hasTray: false`: a desktop without a tray; `busAddress`: a bus other than that of the session */
  static async start(
    options: { readonly hasTray: boolean; readonly busAddress?: string } = { hasTray: true },
  ): Promise<TrayHost> {
    const { busAddress } = options;
    const bus = dbus.sessionBus(busAddress === undefined ? {} : { busAddress });
    const watcher = new Watcher('org.kde.StatusNotifierWatcher');
    const notifications = new Notifications('org.freedesktop.Notifications');
    bus.export('/org/freedesktop/Notifications', notifications);
    await bus.requestName('org.freedesktop.Notifications', 0);
    if (options.hasTray) {
      bus.export('/StatusNotifierWatcher', watcher);
      await bus.requestName('org.kde.StatusNotifierWatcher', 0);
    }
    return new TrayHost(bus, watcher, notifications);
  }

  stop(): void {
    this.#bus.disconnect();
  }

  /** The number of registered icons. */
  get iconCount(): number {
    return this.#watcher.items.length;
  }

  get notifications(): readonly ShownNotification[] {
    return this.#notifications.shown;
  }

  /** Clicks the newest notification with this summary. */
  pressNotification(summary: string): void {
    const index = this.notifications.findLastIndex((notification) => notification.summary === summary);
    if (index === -1) throw new Error(`There is no notification “${summary}”`);
    this.#notifications.ActionInvoked(index + 1, 'default');
  }
}
