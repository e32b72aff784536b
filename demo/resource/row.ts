/** A resource as a row of the real manager's one wide table; children are rows that name their parent. */
import type { BaseType } from '../../api/managers/resourceTypes.ts';
import type { JsonObject, OwnershipInfo } from '../../api/client/wire.ts';

export interface Row {
  readonly resource_name: string;
  readonly resource_name_prefix: string | null;
  readonly resource_class: string;
  readonly base_type: BaseType;
  readonly resource_description: string | null;
  readonly owner: OwnershipInfo;
  readonly custom_attributes: readonly unknown[] | null;
  readonly resource_id: string;
  readonly resource_url: string | null;
  readonly parent_id: string | null;
  readonly key: string | null;
  readonly attributes: JsonObject;
  readonly created_at: string;
  readonly updated_at: string;
  readonly removed: boolean;
  readonly quantity: number | null;
  readonly capacity: number | null;
  readonly columns: number | null;
  readonly rows: number | null;
  readonly layers: number | null;
  readonly template_name: string | null;
  readonly locked_until: string | null;
  readonly locked_by: string | null;
}

/** Returns naive UTC to the second, the format of SQLite; only the resource manager uses it. */
export function databaseTime(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19);
}

/** The form of a resource's `children`. */
type ChildrenForm = 'none' | 'byKey' | 'list' | 'positions';

const forms: Readonly<Record<BaseType, ChildrenForm>> = {
  resource: 'none',
  asset: 'none',
  consumable: 'none',
  discrete_consumable: 'none',
  continuous_consumable: 'none',
  container: 'byKey',
  collection: 'byKey',
  pool: 'byKey',
  row: 'positions',
  grid: 'positions',
  voxel_grid: 'positions',
  slot: 'list',
  stack: 'list',
  queue: 'list',
};

export const childrenForm = (type: BaseType): ChildrenForm => forms[type];

export const isContainer = (type: BaseType): boolean => forms[type] !== 'none';

export const isConsumable = (type: BaseType): boolean => type.endsWith('consumable');
