/**
 * The table of resources and its history. Each change adds a version to the history under one counter for all
 * resources; a change that fails half-way is undone as a whole.
 */
import type { Random } from '../base/random.ts';
import type { DemoClock } from '../base/clock.ts';
import { OperationError } from './errors.ts';
import { databaseTime, type Row } from './row.ts';

type ChangeType = 'Added' | 'Updated' | 'Removed';

export interface Version {
  readonly row: Row;
  readonly version: number;
  readonly change_type: ChangeType;
  readonly changed_at: string;
  /** Of a removal: the children that went with it. */
  readonly child_ids: readonly string[] | null;
  /** True for removals, until they are restored. */
  removed: boolean;
}

export class ResourceTable {
  readonly #clock: Pick<DemoClock, 'now'>;
  readonly #random: Pick<Random, 'ulid'>;
  readonly #rows = new Map<string, Row>();
  readonly #children = new Map<string, Set<string>>();
  readonly #history: Version[] = [];
  readonly #ofResource = new Map<string, Version[]>();
  #journal: (() => void)[] | null = null;

  constructor(clock: Pick<DemoClock, 'now'>, random: Pick<Random, 'ulid'>) {
    this.#clock = clock;
    this.#random = random;
  }

  get total(): number {
    return this.#rows.size;
  }

  now(): string {
    return databaseTime(this.#clock.now());
  }

  newId(): string {
    return this.#random.ulid();
  }

  get(id: string): Row | undefined {
    return this.#rows.get(id);
  }

  /** The row, or the database's complaint. */
  one(id: string): Row {
    const row = this.#rows.get(id);
    if (row === undefined) throw new OperationError('No row was found when one was required');
    return row;
  }

  /** In the order of adding. */
  all(): Iterable<Row> {
    return this.#rows.values();
  }

  childrenOf(id: string): Row[] {
    return [...(this.#children.get(id) ?? [])].flatMap((child) => this.#rows.get(child) ?? []);
  }

  childAt(parent: string, key: string): Row | undefined {
    return this.childrenOf(parent).find((child) => child.key === key);
  }

  /** Adds the row, or puts it in the place of the one with its ID, and writes the history. */
  put(row: Row): Row {
    const before = this.#rows.get(row.resource_id);
    this.#checkKey(row);
    this.#checkAncestors(row);
    this.#set(row.resource_id, row);
    this.#record(row, before === undefined ? 'Added' : 'Updated', null);
    return row;
  }

  /** Deletes the row and all below it. */
  remove(id: string): Row {
    const row = { ...this.one(id), removed: true };
    const children = this.childrenOf(id);
    for (const child of children) this.remove(child.resource_id);
    this.#set(id, undefined);
    const ids = children.map((child) => child.resource_id);
    this.#record(row, 'Removed', ids);
    return row;
  }

  /** Newest first. */
  *history(resourceId?: string): Iterable<Version> {
    const versions = resourceId === undefined ? this.#history : (this.#ofResource.get(resourceId) ?? []);
    for (let index = versions.length - 1; index >= 0; index--) {
      const version = versions[index];
      if (version !== undefined) yield version;
    }
  }

  /** Marks a removal as taken back, so that it can't be restored twice. */
  takeBack(version: Version): void {
    version.removed = false;
    this.#undo(() => {
      version.removed = true;
    });
  }

  /** Does all of it or nothing. */
  atomically<T>(change: () => T): T {
    if (this.#journal !== null) return change();
    const journal: (() => void)[] = [];
    this.#journal = journal;
    try {
      return change();
    } catch (error) {
      this.#journal = null;
      for (const undo of journal.toReversed()) undo();
      throw error;
    } finally {
      this.#journal = null;
    }
  }

  #undo(step: () => void): void {
    this.#journal?.push(step);
  }

  #set(id: string, row: Row | undefined): void {
    const before = this.#rows.get(id);
    this.#link(before, row);
    if (row === undefined) this.#rows.delete(id);
    else this.#rows.set(id, row);
    this.#undo(() => {
      this.#link(row, before);
      if (before === undefined) this.#rows.delete(id);
      else this.#rows.set(id, before);
    });
  }

  #link(before: Row | undefined, after: Row | undefined): void {
    const [from, to] = [before?.parent_id ?? null, after?.parent_id ?? null];
    if (from === to) return;
    if (before !== undefined && from !== null) this.#children.get(from)?.delete(before.resource_id);
    if (after === undefined || to === null) return;
    const siblings = this.#children.get(to) ?? new Set();
    this.#children.set(to, siblings.add(after.resource_id));
  }

  #record(row: Row, type: ChangeType, childIds: readonly string[] | null): void {
    const version: Version = {
      row,
      version: this.#history.length + 1,
      change_type: type,
      changed_at: this.now(),
      child_ids: childIds,
      removed: type === 'Removed',
    };
    const own = this.#ofResource.get(row.resource_id) ?? [];
    this.#ofResource.set(row.resource_id, own);
    this.#history.push(version);
    own.push(version);
    this.#undo(() => {
      this.#history.pop();
      own.pop();
    });
  }

  #checkKey({ parent_id: parent, key, resource_id: id }: Row): void {
    if (parent === null || key === null) return;
    const other = this.childAt(parent, key);
    if (other !== undefined && other.resource_id !== id) {
      throw new OperationError('UNIQUE constraint failed: resource.parent_id, resource.key');
    }
  }

  #checkAncestors({ parent_id: parent, resource_id: id }: Row): void {
    const visited = new Set<string>();
    for (let current = parent; current !== null; current = this.#rows.get(current)?.parent_id ?? null) {
      if (current === id || visited.has(current)) {
        throw new OperationError(`Recursive parent relationship detected for resource_id ${id}`);
      }
      visited.add(current);
    }
  }
}
