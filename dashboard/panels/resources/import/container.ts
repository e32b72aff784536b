/** Finds the container of a line's resource and the place in it. */
import { parseWellName } from '#dashboard/components/plate/plate.ts';
import { isKeyed, isOrdered, isGrid, type ResourceRow } from '#dashboard/managers/resource/resourceRow.ts';
import { countFreePlaces, pushCollides } from '#dashboard/managers/resource/operations.ts';
import { formatPath } from './exportedColumns.ts';
import { pathSeparator, type ResourceIndex } from '#dashboard/managers/resource/resourceIndex.ts';
import { plateRowIds } from '../fill/fillPlan.ts';
import type { AddTarget } from '../operations/addChild.ts';
import { resourcesTexts } from '../texts.ts';
import { deriveId, type FileLine } from './fileLine.ts';
import { importTexts } from './texts.ts';
import { groupBy } from '#dashboard/base/grouping.ts';

const texts = importTexts.problems;

export interface Container {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly rows: number | null;
  readonly columns: number | null;
  readonly capacity: number | null;
  /** Returns the row IDs of one layer of a plate; empty if unknown. */
  readonly rowIds: (layer: number) => readonly (string | null)[];
  /** The existing resource; `null` if the lab has none. */
  readonly row: ResourceRow | null;
}

export function toContainer(row: ResourceRow, index: ResourceIndex): Container {
  const { id, name, type, rows, columns, capacity } = row;
  return { id, name, type, rows, columns, capacity, row, rowIds: (layer) => plateRowIds(row, index, layer) };
}

/** Returns the IDs of a new plate's rows, so that its contents can refer to them before the plate exists. */
export function deriveRowIds(id: string, type: string, rows: number, layer: number): readonly string[] {
  if (type === 'row') return [id];
  const plate = type === 'voxel_grid' ? deriveId([id, 'layer', String(layer)]) : id;
  return Array.from({ length: rows }, (_row, rowIndex) => deriveId([plate, 'row', String(rowIndex)]));
}

/** Returns the parts of a new plate as the manager would create them, but with known IDs. */
export function createPlateParts(
  plate: { readonly id: string; readonly name: string; readonly type: string },
  { rows, columns, layers }: { readonly rows: number; readonly columns: number; readonly layers: number },
): object | null {
  const createRows = (name: string, layer: number): object[] =>
    deriveRowIds(plate.id, plate.type, rows, layer).map((resource_id, rowIndex) => ({
      base_type: 'row',
      resource_id,
      resource_name: `${name}_row_${rowIndex}`,
      columns,
    }));
  if (plate.type === 'grid') return createRows(plate.name, 0);
  if (plate.type !== 'voxel_grid') return null;
  return Array.from({ length: layers }, (_layer, layer) => {
    const resource_name = `${plate.name}_layer_${layer}`;
    const resource_id = deriveId([plate.id, 'layer', String(layer)]);
    return { base_type: 'grid', resource_id, resource_name, rows, columns, children: createRows(resource_name, layer) };
  });
}

export type Placement =
  { readonly to: NonNullable<AddTarget>; readonly existing: ResourceRow | null } | { readonly problem: string };

/** Places used by earlier lines of the file: names by parent and key, counts by container. */
export interface Reservations {
  readonly places: Map<string, string>;
  readonly counts: Map<string, number>;
}
export const placeKey = ({ parentId, key }: NonNullable<AddTarget>): string => `${parentId}\n${key ?? ''}`;

/**
 * Returns the place for a resource in a container, and the resource that is there.
 * @param position as in the file; `null` if the file has none
 */
export function findPlacement(
  container: Container,
  { position, name }: { readonly position: string | null; readonly name: string },
  index: ResourceIndex,
): Placement {
  if (isGrid(container)) return findPlateCell(container, position, index);
  const children = container.row === null ? [] : index.getChildren(container.row);
  if (isOrdered(container)) {
    const sameName = children.filter((child) => child.name === name);
    if (sameName.length > 1) return { problem: texts.twiceInLab(sameName.length) };
    return { to: { parentId: container.id, key: null }, existing: sameName[0] ?? null };
  }
  if (!isKeyed(container)) return { problem: texts.noContainer(container.name) };
  const key = position ?? name;
  return { to: { parentId: container.id, key }, existing: children.find((child) => child.key === key) ?? null };
}

function findPlateCell(container: Container, position: string | null, index: ResourceIndex): Placement {
  if (position === null) return { problem: `It needs a position in “${container.name}”, such as A1.` };
  const [, well = '', layerText] = /^(.*?)(?:\s*\/\s*(\d+))?$/.exec(position) ?? [];
  const rows = container.type === 'row' ? 1 : (container.rows ?? 0);
  const columns = container.columns ?? 0;
  const wellText = container.type === 'row' && /^\d+$/.test(well) ? `A${well}` : well;
  const wellNumber = parseWellName(wellText, rows, columns);
  const rowId =
    wellNumber === null
      ? undefined
      : container.rowIds(Math.max(0, Number(layerText ?? 1) - 1))[Math.floor(wellNumber / columns)];
  if (wellNumber === null || rowId === undefined || rowId === null)
    return { problem: texts.position(position, container.name) };
  const childId = index.byId.get(rowId)?.children[wellNumber % columns];
  const existing = childId === undefined || childId === null ? null : (index.byId.get(childId) ?? null);
  return { to: { parentId: rowId, key: String(wellNumber % columns) }, existing };
}

/**
 * Returns why the container has no space for another resource of this type; `null` if it has. `reserved` is the number
 * placed by earlier lines.
 */
export function findNoSpaceReason(
  container: Container,
  type: string,
  reserved: number,
  index: ResourceIndex,
): string | null {
  const { row, name } = container;
  const children = row === null ? [] : index.getChildren(row);
  if (row !== null && pushCollides(row, children)) return resourcesTexts.operations.pushCollides;
  if (container.type === 'pool') return type.endsWith('consumable') ? null : 'A pool accepts only consumables.';
  if (isGrid(container)) return null;
  return countFreePlaces(container, children.length + reserved) === 0 ? `“${name}” is full.` : null;
}

/** The container of a line: a resource of the lab, another line, or neither for the top level. */
type ContainerMatch = { readonly row?: ResourceRow; readonly line?: FileLine } | { readonly problem: string };

/**
 * Returns a function that finds a line's container. A full path has precedence over a name; several matches are rejected
 * as ambiguous.
 */
export function createContainerFinder(
  lines: readonly FileLine[],
  index: ResourceIndex,
): (line: FileLine) => ContainerMatch {
  const rowsByPath = groupBy(index.all, (row) => formatPath(row, index));
  const rowsByPathSuffix = groupBy(
    index.all.flatMap((row) => pathSuffixes(formatPath(row, index)).map((suffix) => ({ row, suffix }))),
    ({ suffix }) => suffix,
  );
  const linesById = new Map(lines.flatMap((line) => (line.id === null ? [] : [[line.id, line] as const])));
  const linesByPath = groupBy(lines, linePath);
  const linesByName = groupBy(lines, ({ name }) => name);

  return (line) => {
    const { parent, parentId } = line;
    if (parentId !== null) {
      const row = index.byId.get(parentId);
      if (row !== undefined) return { row };
      const parentLine = linesById.get(parentId);
      if (parentLine !== undefined && parentLine !== line) return { line: parentLine };
      if (parent === null) return { problem: texts.parentMissing(parentId) };
    }
    if (parent === null) return {};
    const exceptSelf = (matches: readonly FileLine[] | undefined) =>
      (matches ?? []).filter((candidate) => candidate !== line);
    const candidates: readonly (readonly ContainerMatch[])[] = [
      (rowsByPath.get(parent) ?? []).map((row) => ({ row })),
      exceptSelf(linesByPath.get(parent)).map((fileLine) => ({ line: fileLine })),
      (rowsByPathSuffix.get(parent) ?? []).map(({ row }) => ({ row })),
      exceptSelf(linesByName.get(parent)).map((fileLine) => ({ line: fileLine })),
    ];
    const first = candidates.find((matches) => matches.length > 0);
    if (first === undefined) return { problem: texts.parentMissing(parent) };
    const [only] = first;
    return first.length > 1 || only === undefined ? { problem: texts.parentTwice(parent, first.length) } : only;
  };
}

const linePath = ({ parent, name }: FileLine): string => (parent === null ? name : `${parent}${pathSeparator}${name}`);

/** Returns `b / c` and `c` for `a / b / c`. */
function pathSuffixes(path: string): string[] {
  const parts = path.split(pathSeparator);
  return parts.slice(1).map((_part, index) => parts.slice(index + 1).join(pathSeparator));
}
