/** What a line means by “in”: an ID, a path or a name, in the lab or on another line of the file. Pure. */
import { grouped } from '../../../base/grouping.ts';
import type { ResourceIndex } from '../../../managers/resource/resourceIndex.ts';
import { type ResourceRow, holdsInOrder } from '../../../managers/resource/resourceRow.ts';
import type { FileLine } from './fileLine.ts';
import { importTexts } from './texts.ts';
import { wellName } from '../../../components/plate/plate.ts';

const texts = importTexts.problems;

/** The lab's resource, the line that makes it, or neither: the top level. */
type FoundContainer = { readonly row?: ResourceRow; readonly line?: FileLine } | { readonly problem: string };

/** A whole path is meant before a name, and of two of one name none: nobody knows which. */
export function createFinder(lines: readonly FileLine[], index: ResourceIndex): (line: FileLine) => FoundContainer {
  const rowsByPath = grouped(index.all, (row) => pathText(row, index));
  const rowsByEnd = grouped(
    index.all.flatMap((row) => ends(pathText(row, index)).map((end) => ({ row, end }))),
    ({ end }) => end,
  );
  const linesById = new Map(lines.flatMap((line) => (line.id === null ? [] : [[line.id, line] as const])));
  const linesByPath = grouped(lines, linePath);
  const linesByName = grouped(lines, ({ name }) => name);

  return (line) => {
    const { parent, parentId } = line;
    if (parentId !== null) {
      const row = index.byId.get(parentId);
      if (row !== undefined) return { row };
      const other = linesById.get(parentId);
      if (other !== undefined && other !== line) return { line: other };
      if (parent === null) return { problem: texts.parentMissing(parentId) };
    }
    if (parent === null) return {};
    const others = (found: readonly FileLine[] | undefined) => (found ?? []).filter((one) => one !== line);
    const candidates: readonly (readonly FoundContainer[])[] = [
      (rowsByPath.get(parent) ?? []).map((row) => ({ row })),
      others(linesByPath.get(parent)).map((one) => ({ line: one })),
      (rowsByEnd.get(parent) ?? []).map(({ row }) => ({ row })),
      others(linesByName.get(parent)).map((one) => ({ line: one })),
    ];
    const first = candidates.find((found) => found.length > 0);
    if (first === undefined) return { problem: texts.parentMissing(parent) };
    const [only] = first;
    return first.length > 1 || only === undefined ? { problem: texts.parentTwice(parent, first.length) } : only;
  };
}

const linePath = ({ parent, name }: FileLine): string => (parent === null ? name : `${parent}${pathJoin}${name}`);

/** `b / c` and `c` of `a / b / c`. */
function ends(path: string): string[] {
  const parts = path.split(pathJoin);
  return parts.slice(1).map((_part, at) => parts.slice(at + 1).join(pathJoin));
}

interface Whereabouts {
  /** `null` at the top level. */
  readonly parent: ResourceRow | null;
  /** `A3`, `A3/2` in the second layer, a key, the turn in a stack from 1; empty where it has none. */
  readonly position: string;
}

/** Where a resource is, in the words of a file: what it is in, and its place there. A well is in its plate, not in a row. */
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
const pathJoin = ' / ';
