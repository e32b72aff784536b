/**
 * A tray icon as its app publishes it on the session bus: picture, tooltip and menu. Source: the StatusNotifierItem and
 * DBusMenu interfaces of KDE and Canonical.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import dbus, { type MessageBus, type Variant } from 'dbus-next';

const itemInterface = 'org.kde.StatusNotifierItem';
const menuInterface = 'com.canonical.dbusmenu';
/** The app starts, or rebuilds its menu after a change of its state, within this time. */
const chooseTimeoutMs = 15_000;
/** The errors of calls to an app that has ended, or ends during the call. */
const endedAppErrors: ReadonlySet<string> = new Set([
  'org.freedesktop.DBus.Error.ServiceUnknown',
  'org.freedesktop.DBus.Error.NoReply',
]);

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

export class TrayItem {
  readonly #bus: MessageBus;
  readonly #registration: () => string | null;

  /**
   * @param registration the icon's entry in the list of the tray: a bus name, a path, or both joined; `null` while
   * there is none
   */
  constructor(bus: MessageBus, registration: () => string | null) {
    this.#bus = bus;
    this.#registration = registration;
  }

  /** Returns the tooltip of the icon; empty while there is no icon. */
  async tooltip(): Promise<string> {
    const properties = await this.#readIfPresent(() => this.#itemProperties());
    if (properties === null) return '';
    const [, , title, text] = getProperty<[string, unknown, string, string]>(properties, 'ToolTip');
    return [title, text].filter((part) => part !== '').join('\n');
  }

  async picture(): Promise<TrayPicture> {
    const properties = await this.#itemProperties();
    const [first] = getProperty<[number, number, Buffer][]>(properties, 'IconPixmap');
    if (!first) throw new Error('The icon has no picture');
    return { width: first[0], height: first[1], pixels: Buffer.from(first[2]) };
  }

  /** Returns the entries of the menu; empty while there is no icon. */
  async menu(): Promise<readonly TrayMenuEntry[]> {
    const layout = await this.#readIfPresent(async () => {
      const path = getProperty<string>(await this.#itemProperties(), 'Menu');
      return this.#call(path, menuInterface, 'GetLayout', 'iias', [0, -1, []]);
    });
    return layout === null ? [] : parseEntry(layout[1] as RawEntry).entries;
  }

  /**
   * Clicks the entry at a path of labels that can begin at any depth; a label may be shortened with `…`. Retries until
   * the entry exists, and if the app rebuilds the menu between the read and the click.
   */
  async choose(...labels: readonly [string, ...string[]]): Promise<void> {
    const deadline = Date.now() + chooseTimeoutMs;
    for (;;) {
      try {
        let entries = await this.menu();
        let entry: TrayMenuEntry | null = null;
        for (const label of labels) {
          entry = findEntry(entries, label);
          if (!entry) throw new Error(`The tray's menu has no ${labels.join(' → ')}`);
          ({ entries } = entry);
        }
        if (!entry) throw new Error('The path of labels is empty');
        await this.#clickEntry(entry.id);
        return;
      } catch (error) {
        if (Date.now() >= deadline) throw error;
      }
      await sleep(50);
    }
  }

  async #clickEntry(id: number): Promise<void> {
    const path = getProperty<string>(await this.#itemProperties(), 'Menu');
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

  /** Reads from the icon; `null` while there is none. */
  async #readIfPresent<Value>(read: () => Promise<Value>): Promise<Value | null> {
    if (this.#registration() === null) return null;
    try {
      return await read();
    } catch (error) {
      if (error instanceof dbus.DBusError && endedAppErrors.has(error.type)) return null;
      throw error;
    }
  }

  /** Apps register with a bus name, a path, or both joined. */
  get #itemPath(): string {
    const item = this.#item;
    const slash = item.indexOf('/');
    return slash === -1 ? '/StatusNotifierItem' : item.slice(slash);
  }

  get #item(): string {
    const item = this.#registration();
    if (item === null) throw new Error('No icon was registered');
    return item;
  }

  async #call(path: string, iface: string, member: string, signature: string, body: unknown[]): Promise<unknown[]> {
    const destination = this.#item.split('/')[0] ?? '';
    const message = new dbus.Message({ destination, path, interface: iface, member, signature, body });
    return (await this.#bus.call(message))?.body ?? [];
  }
}

/** @throws Error if the icon has no such property */
function getProperty<Value>(properties: Record<string, Variant>, name: string): Value {
  const trayProperty = properties[name];
  if (!trayProperty) throw new Error(`The tray icon has no ${name}`);
  return trayProperty.value as Value;
}

type RawEntry = [number, Record<string, Variant>, (Variant | RawEntry)[]];

function parseEntry([id, properties, children]: RawEntry): TrayMenuEntry {
  return {
    id,
    // In a DBusMenu label, "__" is a literal underscore.
    label: String(properties['label']?.value ?? '').replaceAll('__', '_'),
    enabled: properties['enabled']?.value !== false,
    entries: children.map((child) => parseEntry((Array.isArray(child) ? child : child.value) as RawEntry)),
  };
}

/** Finds an entry in a menu and its submenus by its label, or by its beginning and `…`. */
export function findEntry(entries: readonly TrayMenuEntry[], label: string): TrayMenuEntry | null {
  for (const entry of entries) {
    if (entry.label === label || (label.endsWith('…') && entry.label.startsWith(label.slice(0, -1)))) return entry;
    const inside = findEntry(entry.entries, label);
    if (inside) return inside;
  }
  return null;
}

/** Returns all non-empty labels of a menu, including its submenus. */
export function collectLabels(entries: readonly TrayMenuEntry[]): string[] {
  return entries.flatMap((entry) => [entry.label, ...collectLabels(entry.entries)]).filter((label) => label !== '');
}
