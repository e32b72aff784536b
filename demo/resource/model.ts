/**
 * Reads the resources that are sent: what is left out gets the type's defaults, children are read all the way down,
 * and grids get the rows that they lack.
 */
import { resourceBody, type ResourceBody } from '../../api/managers/resourceBody.ts';
import type { OwnershipInfo } from '../../api/client/wire.ts';
import type { Random } from '../base/random.ts';
import { isUlid, readBody, readOwnership, unprocessable } from '../base/reading.ts';
import { OperationError } from './errors.ts';
import { childrenForm, isConsumable, isContainer, isCounted, type Row } from './row.ts';

/** A resource in the making. */
export interface Model {
  /**
   * The columns that the type or the sender gives; the others keep their value in an update. The times are the
   * database's.
   */
  readonly columns: Partial<Row> & Pick<Row, 'resource_id' | 'resource_name' | 'base_type'>;
  /** By key; undefined for what can't have any. */
  readonly children: readonly (readonly [key: string, child: Model])[] | undefined;
}

export interface ModelParts {
  readonly random: Random;
  readonly ownership: OwnershipInfo;
}

const adjectives = ['happy', 'clever', 'bright', 'swift', 'calm', 'bold', 'eager', 'quiet'] as const;
const nouns = ['falcon', 'river', 'maple', 'comet', 'harbor', 'meadow', 'otter', 'lantern'] as const;

/** The columns that not every type has: sent ones are stored all the same. */
const optionalColumns = [
  'quantity',
  'capacity',
  'columns',
  'rows',
  'layers',
  'template_name',
  'locked_until',
  'locked_by',
] as const;

type Loc = readonly (string | number)[];

function checkAmounts(sent: ResourceBody, loc: Loc): void {
  const type = sent.base_type;
  const checked = isConsumable(type) ? (['quantity', 'capacity'] as const) : (['capacity'] as const);
  for (const name of isConsumable(type) || isContainer(type) ? checked : []) {
    const value = sent[name];
    if (typeof value !== 'number') continue;
    if (value < 0) {
      throw unprocessable([...loc, name], 'Input should be greater than or equal to 0');
    }
    if (isCounted(type) && !Number.isInteger(value)) {
      throw unprocessable([...loc, name], 'Input should be a valid integer');
    }
  }
  if (type === 'slot' && typeof sent['capacity'] === 'number' && sent['capacity'] !== 1) {
    throw unprocessable([...loc, 'capacity'], 'Input should be 1');
  }
  const { quantity, capacity } = sent;
  if (isConsumable(type) && typeof quantity === 'number' && typeof capacity === 'number' && quantity > capacity) {
    throw unprocessable(loc, 'Quantity cannot be greater than capacity.');
  }
  for (const name of ['columns', 'rows', 'layers'] as const) {
    const value = sent[name];
    if (typeof value === 'number' && value < 0 && childrenForm(type) === 'positions') {
      throw unprocessable([...loc, name], 'Input should be greater than or equal to 0');
    }
  }
}

/** The optional columns that are stored: the type's own with their defaults, and any other that was sent. */
function ownColumns(sent: ResourceBody): Partial<Row> {
  const type = sent.base_type;
  const found: Record<string, unknown> = {};
  for (const name of optionalColumns) if (sent[name] !== undefined) found[name] = sent[name];
  if (isConsumable(type)) {
    found['quantity'] ??= 0;
    found['capacity'] ??= null;
  } else if (isContainer(type)) {
    found['capacity'] ??= type === 'slot' ? 1 : null;
  }
  return found;
}

/** The names and sizes of the rows of a grid, or the grids of a voxel grid, that have to be there. */
function parts(sent: ResourceBody, name: string): ResourceBody[] {
  const owner = sent.owner;
  const common = owner === undefined ? {} : { owner };
  const { columns, rows = 0, layers = 0 } = sent as { columns: number; rows?: number; layers?: number };
  if (sent.base_type === 'grid') {
    return Array.from({ length: rows }, (_, index) => ({
      ...common,
      base_type: 'row',
      resource_name: `${name}_row_${index}`,
      columns,
    }));
  }
  return Array.from({ length: sent.base_type === 'voxel_grid' ? layers : 0 }, (_, index) => ({
    ...common,
    base_type: 'grid',
    resource_name: `${name}_layer_${index}`,
    columns,
    rows,
  }));
}

function childrenSent(sent: ResourceBody): (readonly [string, unknown])[] {
  const { children } = sent as { children?: unknown };
  if (Array.isArray(children)) return children.map((child, index) => [String(index), child] as const);
  return typeof children === 'object' && children !== null ? Object.entries(children) : [];
}

function readChildren(sent: ResourceBody, name: string, source: ModelParts, loc: Loc): Model['children'] {
  const type = sent.base_type;
  if (!isContainer(type)) return undefined;
  const given = new Map(childrenSent(sent).filter(([, child]) => child !== null));
  // The parts belong to the manager, whoever the grid belongs to: the model makes them without asking.
  const { owner: _owner, ...ownerless } = sent;
  for (const [index, part] of parts({ ...ownerless } as ResourceBody, name).entries()) {
    if (!given.has(String(index))) given.set(String(index), part);
  }
  const children = [...given].map(
    ([key, child]) => [key, readModel(child, source, [...loc, 'children', key])] as const,
  );
  const last = Math.max(-1, ...children.map(([key]) => Number(key)));
  const length = Math.max(...(['columns', 'rows', 'layers'] as const).map((size) => Number(sent[size] ?? 0)));
  if (childrenForm(type) === 'positions' && last >= length)
    throw new OperationError('children: list index out of range');
  if (type === 'pool' && children.some(([, child]) => !isConsumable(child.columns.base_type))) {
    throw unprocessable([...loc, 'children'], 'Input should be a consumable');
  }
  const { capacity } = sent;
  const count = childrenForm(type) === 'positions' || type === 'pool' ? 0 : children.length;
  if (typeof capacity === 'number' && count > capacity) {
    throw unprocessable(loc, 'Quantity cannot be greater than capacity.');
  }
  return children;
}

/** The resource as the model sees it; 422 where it doesn't. */
export function readModel(body: unknown, source: ModelParts, loc: Loc = ['body']): Model {
  const sent = readBody(resourceBody, body);
  checkAmounts(sent, loc);
  const { random, ownership } = source;
  const id = sent.resource_id ?? random.ulid();
  if (!isUlid(id)) throw unprocessable([...loc, 'resource_id'], 'Encoded ULID has to be exactly 26 characters long.');
  const name = sent.resource_name ?? `${random.pick(adjectives)}_${random.pick(nouns)}`;
  return {
    columns: {
      resource_name: name,
      resource_name_prefix: sent.resource_name_prefix ?? null,
      resource_class: sent.resource_class ?? '',
      base_type: sent.base_type,
      resource_description: sent.resource_description ?? null,
      owner: sent.owner === undefined ? ownership : readOwnership(sent.owner, [...loc, 'owner']),
      custom_attributes: sent.custom_attributes ?? null,
      resource_id: id,
      resource_url: sent.resource_url ?? null,
      parent_id: sent.parent_id ?? null,
      key: sent.key ?? null,
      attributes: sent.attributes ?? {},
      removed: sent.removed ?? false,
      ...ownColumns(sent),
    },
    children: readChildren(sent, name, source, loc),
  };
}
