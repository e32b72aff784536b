/**
 * The tray and notification area of a desktop on the session bus, without a screen: apps register their icon with it, and
 * a test reads and clicks the items that a user would see. Source: the StatusNotifierItem and DBusMenu interfaces of KDE
 * and Canonical, and the Desktop Notifications specification 1.2.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import dbus, { type MessageBus, type Variant } from 'dbus-next';

const { Interface, ACCESS_READ } = dbus.interface;

const itemInterface = 'org.kde.StatusNotifierItem';
/** Milliseconds for the app to rebuild its menu after a change of its state. */
const drawnMs = 5000;

const menuInterface = 'com.canonical.dbusmenu';

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

/** An icon as the app sent it: 32 bits per pixel, alpha first. */
export interface TrayPicture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Buffer;
}

export interface TrayMenuEntry {
  readonly id: number;
  readonly label: string;
  readonly enabled: boolean;
  readonly entries: readonly TrayMenuEntry[];
}

export class TrayHost {
  readonly #bus: MessageBus;
  readonly #watcher: Watcher;
  readonly #notifications: Notifications;

  private constructor(bus: MessageBus, watcher: Watcher, notifications: Notifications) {
    this.#bus = bus;
    this.#watcher = watcher;
    this.#notifications = notifications;
  }

  /**
   * @param options `tray: false` simulates a desktop without a tray; `busAddress` selects another bus than the session's
   */
  static async start(
    options: { readonly tray: boolean; readonly busAddress?: string } = { tray: true },
  ): Promise<TrayHost> {
    const { busAddress } = options;
    const bus = dbus.sessionBus(busAddress === undefined ? {} : { busAddress });
    const watcher = new Watcher('org.kde.StatusNotifierWatcher');
    const notifications = new Notifications('org.freedesktop.Notifications');
    bus.export('/org/freedesktop/Notifications', notifications);
    await bus.requestName('org.freedesktop.Notifications', 0);
    if (options.tray) {
      bus.export('/StatusNotifierWatcher', watcher);
      await bus.requestName('org.kde.StatusNotifierWatcher', 0);
    }
    return new TrayHost(bus, watcher, notifications);
  }

  stop(): void {
    this.#bus.disconnect();
  }

  /** The number of registered icons. */
  get icons(): number {
    return this.#watcher.items.length;
  }

  get notifications(): readonly ShownNotification[] {
    return this.#notifications.shown;
  }

  /** Clicks the newest notification with this summary. */
  pressNotification(summary: string): void {
    const index = this.notifications.findLastIndex((each) => each.summary === summary);
    if (index === -1) throw new Error(`There is no notification “${summary}”`);
    this.#notifications.ActionInvoked(index + 1, 'default');
  }

  /** The tooltip of the icon; empty while there is no icon. */
  async tooltip(): Promise<string> {
    if (this.icons === 0) return '';
    const properties = await this.#itemProperties();
    const [, , title, text] = property<[string, unknown, string, string]>(properties, 'ToolTip');
    return [title, text].filter((part) => part !== '').join('\n');
  }

  async picture(): Promise<TrayPicture> {
    const properties = await this.#itemProperties();
    const [first] = property<[number, number, Buffer][]>(properties, 'IconPixmap');
    if (!first) throw new Error('The icon has no picture');
    return { width: first[0], height: first[1], pixels: Buffer.from(first[2]) };
  }

  async menu(): Promise<readonly TrayMenuEntry[]> {
    const properties = await this.#itemProperties();
    const path = property<string>(properties, 'Menu');
    const [, root] = await this.#call(path, menuInterface, 'GetLayout', 'iias', [0, -1, []]);
    return menuEntry(root as RawEntry).entries;
  }

  /**
   * Clicks the entry with the last label, anywhere in the menu or below the entries of the labels before it (each a
   * label, or its beginning and `…`). It waits until the entry exists. A menu that is rebuilt between read and click
   * rejects the old entries, so it is read again.
   */
  async choose(...labels: readonly [string, ...string[]]): Promise<void> {
    const deadline = Date.now() + drawnMs;
    for (;;) {
      let entries = await this.menu();
      try {
        let entry: TrayMenuEntry | null = null;
        for (const label of labels) {
          entry = findEntry(entries, label);
          if (!entry) throw new Error(`The tray's menu has no ${labels.join(' → ')}`);
          ({ entries } = entry);
        }
        if (!entry) throw new Error('Nothing is to be chosen');
        await this.#clickEntry(entry.id);
        return;
      } catch (error) {
        if (Date.now() >= deadline) throw error;
      }
      await sleep(50);
    }
  }

  async #clickEntry(id: number): Promise<void> {
    const path = property<string>(await this.#itemProperties(), 'Menu');
    const data = new dbus.Variant('s', '');
    await this.#call(path, menuInterface, 'Event', 'isvu', [id, 'clicked', data, 0]);
  }

  async click(): Promise<void> {
    await this.#call(this.#itemPath, itemInterface, 'Activate', 'ii', [0, 0]);
  }

  async #itemProperties(): Promise<Record<string, Variant>> {
    const path = this.#itemPath;
    const [all] = await this.#call(path, 'org.freedesktop.DBus.Properties', 'GetAll', 's', [itemInterface]);
    return all as Record<string, Variant>;
  }

  /** Apps register with a bus name, a path, or both joined. */
  get #itemPath(): string {
    const item = this.#item;
    const slash = item.indexOf('/');
    return slash === -1 ? '/StatusNotifierItem' : item.slice(slash);
  }

  get #item(): string {
    const item = this.#watcher.items.at(-1);
    if (item === undefined) throw new Error('No icon was registered');
    return item;
  }

  async #call(path: string, iface: string, member: string, signature: string, body: unknown[]): Promise<unknown[]> {
    const destination = this.#item.split('/')[0] ?? '';
    const message = new dbus.Message({ destination, path, interface: iface, member, signature, body });
    return (await this.#bus.call(message))?.body ?? [];
  }
}

/** @throws Error if the icon has no such property */
function property<Value>(properties: Record<string, Variant>, name: string): Value {
  const found = properties[name];
  if (!found) throw new Error(`The tray icon has no ${name}`);
  return found.value as Value;
}

type RawEntry = [number, Record<string, Variant>, (Variant | RawEntry)[]];

function menuEntry([id, properties, children]: RawEntry): TrayMenuEntry {
  return {
    id,
    // In a DBusMenu label, "__" is a literal underscore.
    label: String(properties['label']?.value ?? '').replaceAll('__', '_'),
    enabled: properties['enabled']?.value !== false,
    entries: children.map((child) => menuEntry((Array.isArray(child) ? child : child.value) as RawEntry)),
  };
}

export function findEntry(entries: readonly TrayMenuEntry[], label: string): TrayMenuEntry | null {
  for (const entry of entries) {
    if (entry.label === label || (label.endsWith('…') && entry.label.startsWith(label.slice(0, -1)))) return entry;
    const inside = findEntry(entry.entries, label);
    if (inside) return inside;
  }
  return null;
}

/** All labels of a menu, submenus included. */
export function menuLabels(entries: readonly TrayMenuEntry[]): string[] {
  return entries.flatMap((entry) => [entry.label, ...menuLabels(entry.entries)]).filter((label) => label !== '');
}
