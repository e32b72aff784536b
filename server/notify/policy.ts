/**
 * What is worth a notification, and when: only changes, only those that last, never the same one again and again, many at
 * once as one. Pure but for what it remembers; the clock is given, a steady one: what a person sets it to changes no wait.
 */

export const notificationKinds = ['lab', 'manager', 'node', 'workflow_failed', 'workflow_finished'] as const;
export type NotificationKind = (typeof notificationKinds)[number];

/** Something that is well or not. */
export interface Subject {
  /** `manager data` */
  readonly key: string;
  readonly kind: 'lab' | 'manager' | 'node';
  /** `Data Manager` */
  readonly name: string;
  /** `null` while nobody knows: what was said of it last holds. */
  readonly isBad: boolean | null;
  /** `unreachable`: what it is, after its name. */
  readonly state: string;
  /** Empty where nothing more is known. */
  readonly reason: string;
  /** The page of the dashboard about it, with a leading slash. */
  readonly path: string;
}

export interface Notification {
  readonly kind: NotificationKind;
  readonly level: 'problem' | 'recovery' | 'info';
  readonly title: string;
  readonly body: string;
  readonly path: string;
  /** ms since the epoch. */
  readonly at: number;
  /** Keys of what it is about: `manager data`, `workflow 01J…`. */
  readonly subjects: readonly string[];
}

/** A state must hold this long. */
export const holdMs = 15_000;
/** The same is said at most once in this time; what it did meanwhile is summed up. */
export const againMs = 10 * 60_000;
/** So often in that time, without ever holding, is worth a word too. */
const flapping = 3;
/** So long one waits for others that are changing, too. */
const togetherMs = 12_000;
/** More at once are one. */
const mostApart = 3;

interface Known {
  subject: Subject;
  /** As it is, since when. */
  isBad: boolean;
  since: number;
  /** As it was said last. */
  said: boolean;
  /** When it was said to be bad, and to be well, last. */
  readonly saidAt: { bad: number; well: number };
  /** When it went bad since it was last said to be. */
  downs: number[];
}

export class NotificationPolicy {
  readonly #known = new Map<string, Known>();
  #waiting: Notification[] = [];

  /**
   * Takes in how things are at `now` (ms of a steady clock). What is there the first time isn't news.
   * @param isAlreadyKnown of a key: whoever caused it knows, so nothing is sent
   */
  observe(subjects: readonly Subject[], now: number, isAlreadyKnown: (key: string) => boolean = () => false): void {
    const keys = new Set(subjects.map(({ key }) => key));
    for (const key of this.#known.keys()) if (!keys.has(key)) this.#known.delete(key);
    for (const subject of subjects) this.#observeOne(subject, now);
    for (const [key, known] of this.#known)
      if (isAlreadyKnown(key)) {
        known.said = known.isBad;
        known.downs = [];
      }
  }

  /** Something that happened, once: a workflow that failed. */
  happened(notification: Notification): void {
    this.#waiting = [...this.#waiting, notification];
  }

  /**
   * What is to be said at `now`; it counts as said then. What becomes due soon after something else is said with it: of a lab
   * that goes down, one manager is found so after the other.
   * @param isWanted the kinds that somebody wants to hear of
   */
  due(now: number, isWanted: (kind: NotificationKind) => boolean = () => true): readonly Notification[] {
    const changed = [...this.#known.values()].flatMap((known) => this.#dueOf(known, now));
    this.#waiting = [...this.#waiting, ...changed].filter(({ kind }) => isWanted(kind));
    const [first] = this.#waiting;
    const others = [...this.#known.values()].some(({ isBad, said }) => isBad !== said);
    if (first === undefined || (others && now - first.at < togetherMs)) return [];
    const waiting = this.#waiting;
    this.#waiting = [];
    return joined(waiting, now);
  }

  #observeOne(subject: Subject, now: number): void {
    const { isBad } = subject;
    if (isBad === null) {
      const known = this.#known.get(subject.key);
      // Whatever it is afterwards, it must hold anew.
      if (known !== undefined) known.since = now;
      return;
    }
    const known = this.#known.get(subject.key);
    if (known === undefined) {
      const saidAt = { bad: Number.NEGATIVE_INFINITY, well: Number.NEGATIVE_INFINITY };
      this.#known.set(subject.key, { subject, isBad, since: now, said: isBad, saidAt, downs: [] });
      return;
    }
    known.subject = subject;
    if (known.isBad === isBad) return;
    known.isBad = isBad;
    known.since = now;
    if (isBad) known.downs.push(now);
  }

  #dueOf(known: Known, now: number): Notification[] {
    const { subject, isBad, saidAt } = known;
    const downs = known.downs.filter((at) => now - at < 2 * againMs);
    known.downs = downs;
    const way = isBad ? 'bad' : 'well';
    const holds = now - known.since >= holdMs;
    const first = downs[0] ?? now;
    const isDue = known.said !== isBad && holds && now - saidAt[way] >= againMs;
    const isLongAgo = now - Math.max(saidAt.bad, saidAt.well, first) >= againMs;
    if (downs.length >= flapping && (isDue || isLongAgo)) {
      if (holds) known.said = isBad;
      known.downs = [];
      saidAt.bad = now;
      saidAt.well = now;
      return [flapped(subject, downs.length, now - first, isBad, now)];
    }
    if (!isDue) return [];
    known.said = isBad;
    saidAt[way] = now;
    // The one that is said now is no part of what is summed up later.
    if (isBad) known.downs = [];
    return [changedTo(subject, isBad, now)];
  }
}

function changedTo({ key, kind, name, state, reason, path }: Subject, isBad: boolean, at: number): Notification {
  const common = { kind, path, at, subjects: [key] };
  if (isBad) return { ...common, level: 'problem', title: `${name}: ${state}`, body: reason };
  return { ...common, level: 'recovery', title: `${name} is back`, body: state };
}

function flapped(subject: Subject, count: number, ms: number, isBad: boolean, at: number): Notification {
  const { key, kind, name, path } = subject;
  const title = `${name} went down ${count} times in ${Math.round(ms / 60_000)} min`;
  const level = isBad ? 'problem' : 'info';
  return { kind, level, title, body: isBad ? 'It is down now.' : 'It is up now.', path, at, subjects: [key] };
}

const headings = {
  problem: (count: number) => `${count} things need attention`,
  recovery: (count: number) => `${count} things are back`,
  info: (count: number) => `${count} things happened`,
} as const;
/** The most names in one text. */
const mostNames = 6;

/** Many at once as one for each level; the lab's own words lead where it is among them. */
function joined(all: readonly Notification[], at: number): readonly Notification[] {
  return (['problem', 'recovery', 'info'] as const).flatMap((level): readonly Notification[] => {
    const same = all.filter((each) => each.level === level);
    if (same.length <= mostApart) return same;
    const lab = same.find(({ kind }) => kind === 'lab');
    const names = same.filter((each) => each !== lab).map(({ title }) => title);
    const rest = names.length - mostNames;
    const body = [...names.slice(0, mostNames), ...(rest > 0 ? [`and ${rest} more`] : [])].join('; ');
    return [
      {
        kind: lab?.kind ?? (same[0] as Notification).kind,
        level,
        title: lab?.title ?? headings[level](same.length),
        body,
        path: '/history',
        at,
        subjects: same.flatMap(({ subjects }) => subjects),
      },
    ];
  });
}
