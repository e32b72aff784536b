/** The table of resources and its history: each change adds a version under one counter for all resources. */
import type { DemoClock } from '../base/clock.ts';
import { ErrorResponse } from '../base/handlers.ts';
import { databaseTime, type Row } from './row.ts';

type ChangeType = 'Added' | 'Updated' | 'Removed';

export interface Version {
  readonly row: Row;
  readonly version: number;
  readonly change_type: ChangeType;
  readonly changed_at: string;
  /** For a removal: the children that were removed with it. */
  readonly child_ids: readonly string[] | null;
  /** True for removals, until they are restored. */
  removed: boolean;
}

export class ResourceTable {
  readonly #clock: Pick<DemoClock, 'now'>;
  readonly #rows = new Map<string, Row>();
  readonly #children = new Map<string, Set<string>>();
  readonly #history: Version[] = [];

  constructor(clock: Pick<DemoClock, 'now'>) {
    this.#clock = clock;
  }

  get total(): number {
    return this.#rows.size;
  }

  now(): string {
    return databaseTime(this.#clock.now());
  }

  get(id: string): Row | undefined {
    return this.#rows.get(id);
  }

  /** Returns the row; for a missing one, most operations fail with status 500. */
  getOrThrow(id: string): Row {
    const row = this.#rows.get(id);
    if (row === undefined) throw new ErrorResponse(500, 'No row was found when one was required');
    return row;
  }

  /** Returns all rows, in the order of adding. */
  all(): Iterable<Row> {
    return this.#rows.values();
  }

  listChildren(id: string): Row[] {
    return [...(this.#children.get(id) ?? [])].flatMap((child) => this.#rows.get(child) ?? []);
  }

  childAt(parent: string, key: string): Row | undefined {
    return this.listChildren(parent).find((child) => child.key === key);
  }

  /** Adds or replaces the row with its ID, and writes the history. */
  put(row: Row): Row {
    const { resource_id: id, parent_id: parent, key } = row;
    const occupant = parent === null || key === null ? undefined : this.childAt(parent, key);
    if (occupant !== undefined && occupant.resource_id !== id) {
      throw new ErrorResponse(500, 'UNIQUE constraint failed: resource.parent_id, resource.key');
    }
    if (this.#ancestors(row).includes(id)) {
      throw new ErrorResponse(500, `Recursive parent relationship detected for resource_id ${id}`);
    }
    const previous = this.#rows.get(id);
    this.#set(id, row);
    this.#record(row, previous === undefined ? 'Added' : 'Updated', null);
    return row;
  }

  /** Deletes the row and all its descendants. */
  remove(id: string): Row {
    const row = { ...this.getOrThrow(id), removed: true };
    const children = this.listChildren(id).map((child) => child.resource_id);
    for (const child of children) this.remove(child);
    this.#set(id, undefined);
    this.#record(row, 'Removed', children);
    return row;
  }

  /** Restores the last removed version, with the children that were removed with it. */
  restore(id: string): Version | undefined {
    const version = this.#history.findLast((entry) => entry.removed && entry.row.resource_id === id);
    if (version === undefined) return undefined;
    version.removed = false;
    this.put({ ...version.row, removed: false });
    for (const child of version.child_ids ?? []) this.restore(child);
    return version;
  }

  /** Returns all versions, newest first. */
  history(): Version[] {
    return this.#history.toReversed();
  }

  /** Returns the IDs of the containers around the row, nearest first; in a cycle, the last one is the row itself. */
  #ancestors({ resource_id: id, parent_id: parent }: Row): string[] {
    const ancestors: string[] = [];
    for (let currentId = parent; currentId !== null; currentId = this.#rows.get(currentId)?.parent_id ?? null) {
      ancestors.push(currentId);
      if (currentId === id) break;
    }
    return ancestors;
  }

  #set(id: string, row: Row | undefined): void {
    const previous = this.#rows.get(id);
    if (previous?.parent_id != null && previous.parent_id !== row?.parent_id) {
      this.#children.get(previous.parent_id)?.delete(id);
    }
    if (row?.parent_id != null) {
      const siblings = this.#children.get(row.parent_id) ?? new Set();
      this.#children.set(row.parent_id, siblings.add(id));
    }
    if (row === undefined) this.#rows.delete(id);
    else this.#rows.set(id, row);
  }

  #record(row: Row, type: ChangeType, childIds: readonly string[] | null): void {
    this.#history.push({
      row,
      version: this.#history.length + 1,
      change_type: type,
      changed_at: this.now(),
      child_ids: childIds,
      removed: type === 'Removed',
    });
  }
}
