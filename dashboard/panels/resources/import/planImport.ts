/**
 * Plans an import line by line: new, existing, different, or invalid with the reason. A line matches the resource with
 * its ID, else the one that an earlier import created from the same line, else the one with its name in the same place.
 * Nothing is moved or replaced. Pure.
 */
import type { ResourceTemplate } from '../../../../api/managers/resourceTypes.ts';
import { groupBy } from '../../../base/grouping.ts';
import { isOrdered, isContainer, type ResourceRow } from '../../../managers/resource/resourceRow.ts';
import type { ResourceIndex } from '../../../managers/resource/resourceIndex.ts';
import { resourceTexts } from '../../../managers/resource/texts.ts';
import type { AddTo } from '../operations/addChild.ts';
import {
  labContainer,
  noRoom,
  placeIn,
  placeKey,
  type Container,
  type Placement,
  type Reserved,
  createFinder,
} from './container.ts';
import { pathText, whereIs } from './exported.ts';
import { derivedId, type FileLine } from './fileLine.ts';
import { differences, type Difference } from './differences.ts';
import { newResource, type NewResource } from './newResource.ts';
import { importTexts } from './texts.ts';

const texts = importTexts.problems;

export type ImportVerdict = 'new' | 'existing' | 'changed' | 'wrong';

export interface ImportLine {
  readonly key: string;
  readonly line: number;
  readonly id: string;
  readonly name: string;
  /** The current or future container and place. */
  readonly place: string;
  /** As read from the file; `null` for an empty cell. */
  readonly quantity: number | null;
  readonly capacity: number | null;
  readonly unit: string;
  readonly verdict: ImportVerdict;
  readonly text: string;
  /** Key of the line that must be executed before this one. */
  readonly precedingKey: string | null;
  /** The position in the order of pushed resources. */
  readonly pushOrder: number;
  readonly add: NewResource | null;
  readonly change: Difference | null;
}

interface ImportLab {
  readonly index: ResourceIndex;
  readonly templates: readonly ResourceTemplate[];
  /** For lines without a type; `null`: these lines are invalid. */
  readonly defaultType: string | null;
}

/** The resource of a line, as the container of other lines. */
interface PlannedContainer {
  readonly line: ImportLine;
  readonly container: Container | null;
}

export function planImport(lines: readonly FileLine[], lab: ImportLab): readonly ImportLine[] {
  const { index } = lab;
  const done = new Map<FileLine, PlannedContainer>();
  const startedLines = new Set<FileLine>();
  const byId = new Map<string, FileLine>();
  const reserved: Reserved = { places: new Map(), counts: new Map() };
  const find = createFinder(lines, index);
  const topByName = groupBy(index.top, ({ name }) => name);

  function resolve(line: FileLine): PlannedContainer {
    const known = done.get(line);
    if (known !== undefined) return known;
    if (startedLines.has(line))
      return { line: result(line, { verdict: 'wrong', text: texts.circle }), container: null };
    startedLines.add(line);
    const planned = plan(line);
    done.set(line, planned);
    return planned;
  }

  function plan(line: FileLine): PlannedContainer {
    if (line.problems.length > 0) return wrongLine(line, line.problems.join(' '));
    const input = line.id === null ? undefined : byId.get(line.id);
    if (input !== undefined) return wrongLine(line, texts.sameLine(input.number));
    if (line.id !== null) byId.set(line.id, line);
    const found = find(line);
    const known = line.id === null ? undefined : index.byId.get(line.id);
    if (known !== undefined) return existing(line, known, 'problem' in found ? null : (found.row?.id ?? null), index);
    if ('problem' in found) return wrongLine(line, found.problem);
    const parent = found.line === undefined ? null : resolve(found.line);
    if (parent?.line.verdict === 'wrong') return wrongLine(line, texts.parentWrong(parent.line.line));
    const container = found.row === undefined ? (parent?.container ?? null) : labContainer(found.row, index);
    if (found.line !== undefined && container === null) return wrongLine(line, texts.noContainer(found.line.name));
    if (container !== null && isPart(line, container)) return planPart(line, container, parent);
    return planInPlace(line, container, parent);
  }

  function planInPlace(line: FileLine, container: Container | null, parent: PlannedContainer | null): PlannedContainer {
    const placed =
      container === null ? placeAtTop(line, topByName.get(line.name) ?? []) : placeIn(container, line, index);
    const to = 'to' in placed ? placed.to : null;
    const at = to?.key ?? line.position ?? '';
    // A well's key is only its column; the ID of its row distinguishes it from wells above and below.
    const id = line.id ?? derivedId([to?.parentId ?? container?.id ?? '', at, line.name]);
    const before = line.id === null ? byId.get(id) : undefined;
    if (before !== undefined) return wrongLine(line, texts.sameLine(before.number));
    byId.set(id, line);
    const same = index.byId.get(id) ?? sameThere(line, placed);
    if (same !== null) return existing(line, same, container?.id ?? null, index);
    if ('problem' in placed) return wrongLine(line, placed.problem);
    if (placed.existing !== null && container?.type !== undefined && !isOrdered(container))
      return wrongLine(line, texts.occupied(line.position ?? at, placed.existing.name));
    return planAddition(line, { id, to: placed.to, container, parent }, reserved, lab);
  }

  for (const line of lines) resolve(line);
  return lines.flatMap((line) => done.get(line)?.line ?? []);
}

function wrongLine(line: FileLine, text: string): PlannedContainer {
  return { line: result(line, { verdict: 'wrong', text }), container: null };
}

/** Returns the existing resource with the line's name, for a line without an ID. */
function sameThere(line: FileLine, placed: Placement | TopPlace | { readonly problem: string }): ResourceRow | null {
  if (line.id !== null || 'problem' in placed || placed.existing === null) return null;
  return placed.existing.name === line.name ? placed.existing : null;
}

/** The top level of the lab; `existing` is the resource there with the line's name, or `null`. */
type TopPlace = { readonly to: null; readonly existing: ResourceRow | null };

/** @param named the top-level resources with the line's name */
function placeAtTop(line: FileLine, named: readonly ResourceRow[]): TopPlace | { readonly problem: string } {
  const ofType = named.filter(({ type }) => line.type === null || line.type === type);
  const same = ofType.length > 0 ? ofType : named;
  if (same.length > 1 && line.id === null) return { problem: texts.twiceInLab(same.length) };
  return { to: null, existing: line.id === null ? (same[0] ?? null) : null };
}

/** @param fileId ID of the container in the file; `null` if the file has none */
function existing(line: FileLine, row: ResourceRow, fileId: string | null, index: ResourceIndex): PlannedContainer {
  const container = isContainer(row) ? labContainer(row, index) : null;
  if (line.type !== null && line.type !== row.type) {
    const text = texts.otherType(resourceTexts.type(row.type), resourceTexts.type(line.type));
    return { line: result(line, { verdict: 'wrong', text, id: row.id }), container };
  }
  const { parent, position } = whereIs(row, index);
  const difference = differences(line, row);
  const hasMoved = fileId !== null && fileId !== parent?.id;
  const parts = [
    ...(difference?.parts ?? []),
    ...(hasMoved ? [importTexts.isIn(placeText(parent, position, index))] : []),
  ];
  const problem = difference?.problem ?? null;
  return {
    line: result(line, {
      verdict: problem !== null ? 'wrong' : difference === null ? 'existing' : 'changed',
      text: problem ?? parts.join('; '),
      id: row.id,
      place: placeText(parent, position, index),
      change: problem === null ? difference : null,
    }),
    container,
  };
}
function placeText(parent: ResourceRow | null, position: string, index: ResourceIndex): string {
  return parent === null ? '' : `${pathText(parent, index)}${position === '' ? '' : `: ${position}`}`;
}

function planAddition(
  line: FileLine,
  {
    id,
    to,
    container,
    parent,
  }: { id: string; to: AddTo; container: Container | null; parent: PlannedContainer | null },
  reserved: Reserved,
  lab: ImportLab,
): PlannedContainer {
  const newLine = newResource(line, id, to, lab);
  if ('problem' in newLine) return wrongLine(line, newLine.problem);
  if (container !== null && to !== null) {
    const count = reserved.counts.get(container.id) ?? 0;
    const full = noRoom(container, newLine.type, count, lab.index);
    if (full !== null) return wrongLine(line, full);
    const other = to.key === null ? undefined : reserved.places.get(placeKey(to));
    if (other !== undefined) return wrongLine(line, texts.occupied(line.position ?? to.key ?? '', other));
    reserved.counts.set(container.id, count + 1);
    reserved.places.set(placeKey(to), line.name);
  }
  const position = to === null || to.key === null ? '' : (line.position ?? to.key);
  return {
    line: result(line, {
      verdict: 'new',
      text:
        newLine.unit === null
          ? resourceTexts.type(newLine.type)
          : importTexts.typeIn(resourceTexts.type(newLine.type), newLine.unit),
      id,
      place: container === null ? '' : `${container.name}${position === '' ? '' : `: ${position}`}`,
      precedingKey: afterOf(parent),
      add: newLine.resource,
    }),
    container: newLine.container,
  };
}

/**
 * Returns the key of the line to execute first. A plate's line creates its parts, so their contents depend on that line.
 */
function afterOf(parent: PlannedContainer | null): string | null {
  if (parent === null) return null;
  return parent.line.verdict === 'new' ? parent.line.key : parent.line.precedingKey;
}

/** Rows of a grid and layers of a voxel grid are created with it. */
function isPart(line: FileLine, container: Container): boolean {
  return (
    (container.type === 'grid' && line.type === 'row') || (container.type === 'voxel_grid' && line.type === 'grid')
  );
}
function planPart(line: FileLine, container: Container, parent: PlannedContainer | null): PlannedContainer {
  const newLine = result(line, {
    verdict: 'existing',
    text: importTexts.partOfPlate,
    place: container.name,
    precedingKey: afterOf(parent),
  });
  const at = Math.max(0, Number(line.position ?? 0));
  if (container.type === 'voxel_grid') {
    const layer = { ...container, type: 'grid', name: line.name, row: null, lines: () => container.lines(at) };
    return { line: newLine, container: layer };
  }
  const id = container.lines(0)[at] ?? null;
  const row: Container | null =
    id === null ? null : { ...container, id, type: 'row', rows: 1, name: line.name, row: null, lines: () => [id] };
  return { line: newLine, container: row };
}

function result(line: FileLine, more: Partial<ImportLine> & Pick<ImportLine, 'verdict' | 'text'>): ImportLine {
  return {
    key: String(line.number),
    line: line.number,
    id: line.id ?? '',
    name: line.name,
    place: line.parent ?? '',
    quantity: line.quantity,
    capacity: line.capacity,
    unit: line.unit ?? '',
    precedingKey: null,
    pushOrder: Number(line.position ?? NaN),
    add: null,
    change: null,
    ...more,
  };
}
