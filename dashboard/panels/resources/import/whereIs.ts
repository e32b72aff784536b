/** Where a resource is, in the words of a file: what it is in, and its place there. A well is in its plate, not in a row. Pure. */
import { wellName } from '../../../components/plate/plate.ts';
import { holdsInOrder } from '../../../managers/resource/containerKinds.ts';
import type { ResourceIndex } from '../../../managers/resource/resourceIndex.ts';
import type { ResourceRow } from '../../../managers/resource/resourceRow.ts';

export interface Whereabouts {
  /** `null` at the top level. */
  readonly parent: ResourceRow | null;
  /** `A3`, `A3/2` in the second layer, a key, the turn in a stack from 1; empty where it has none. */
  readonly position: string;
}

export function whereIs(row: ResourceRow, index: ResourceIndex): Whereabouts {
  const parent = parentOf(row, index);
  if (parent === null) return { parent, position: '' };
  const at = parent.children.indexOf(row.id);
  if (parent.type === 'row') return inRow(parent, at, index);
  if (holdsInOrder(parent)) return { parent, position: String(index.childrenOf(parent).indexOf(row) + 1) };
  return { parent, position: row.key ?? '' };
}

function parentOf(row: ResourceRow, index: ResourceIndex): ResourceRow | null {
  return row.parentId === null || row.parentId === row.id ? null : (index.byId.get(row.parentId) ?? null);
}

function inRow(line: ResourceRow, at: number, index: ResourceIndex): Whereabouts {
  const plate = parentOf(line, index);
  if (plate?.type !== 'grid') return { parent: line, position: wellName(at, Math.max(1, line.columns ?? 1)) };
  const columns = Math.max(line.columns ?? 0, plate.columns ?? 0, line.children.length);
  const well = wellName(plate.children.indexOf(line.id) * columns + at, columns);
  const voxels = parentOf(plate, index);
  if (voxels?.type !== 'voxel_grid') return { parent: plate, position: well };
  return { parent: voxels, position: `${well}/${voxels.children.indexOf(plate.id) + 1}` };
}

/** `cabinet / rack`: itself and what it is in. */
export function pathText(row: ResourceRow, index: ResourceIndex): string {
  return [...index.pathOf(row), row].map(({ name }) => name).join(pathJoin);
}
export const pathJoin = ' / ';
