/**
 * Plans an import line by line: new, existing, changed, or invalid with the reason. A line matches the resource with
 * its ID, else the one that an earlier import created from the same line, else the one with its name in the same place.
 * Nothing is moved or replaced.
 */
import type { ResourceTemplate } from '#api/managers/resourceTypes.ts';
import { groupBy } from '#dashboard/base/grouping.ts';
import { isOrdered, isContainer, type ResourceRow } from '#dashboard/managers/resource/resourceRow.ts';
import type { ResourceIndex } from '#dashboard/managers/resource/resourceIndex.ts';
import { resourceTexts } from '#dashboard/managers/resource/texts.ts';
import type { AddTarget } from '../operations/addChild.ts';
import {
  toContainer,
  findNoSpaceReason,
  findPlacement,
  placeKey,
  type Container,
  type Placement,
  type Reservations,
  createContainerFinder,
} from './container.ts';
import { formatPath, locateResource } from './exportedColumns.ts';
import { deriveId, type FileLine } from './fileLine.ts';
import { compareWithStored, type Difference } from './differences.ts';
import { createNewResource, type NewResource } from './newResource.ts';
import { importTexts } from './texts.ts';

const texts = importTexts.problems;

export type ImportLineStatus = 'new' | 'existing' | 'changed' | 'invalid';

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
  readonly status: ImportLineStatus;
  readonly text: string;
  /** Key of the line that must be executed before this one. */
  readonly precedingKey: string | null;
  /** The position of a pushed resource in its container; `NaN` without a position. */
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

/** The plan of a line, and its resource as the container of other lines. */
interface PlannedLine {
  readonly line: ImportLine;
  readonly container: Container | null;
}

export function planImport(lines: readonly FileLine[], lab: ImportLab): readonly ImportLine[] {
  const { index } = lab;
  const plannedLines = new Map<FileLine, PlannedLine>();
  const startedLines = new Set<FileLine>();
  const byId = new Map<string, FileLine>();
  const reserved: Reservations = { places: new Map(), counts: new Map() };
  const findContainer = createContainerFinder(lines, index);
  const topByName = groupBy(index.topLevel, ({ name }) => name);

  function resolve(line: FileLine): PlannedLine {
    const cached = plannedLines.get(line);
    if (cached !== undefined) return cached;
    if (startedLines.has(line))
      return { line: createLine(line, { status: 'invalid', text: 'It would contain itself.' }), container: null };
    startedLines.add(line);
    const planned = plan(line);
    plannedLines.set(line, planned);
    return planned;
  }

  function plan(line: FileLine): PlannedLine {
    const match = findContainer(line);
    const existingRow = line.id === null ? undefined : index.byId.get(line.id);
    const containerProblems = existingRow === undefined && 'problem' in match ? [match.problem] : [];
    if (line.problems.length > 0) return invalidLine(line, [...line.problems, ...containerProblems].join(' '));
    const duplicate = line.id === null ? undefined : byId.get(line.id);
    if (duplicate !== undefined) return invalidLine(line, texts.sameLine(duplicate.number));
    if (line.id !== null) byId.set(line.id, line);
    if (existingRow !== undefined)
      return planExisting(line, existingRow, 'problem' in match ? null : (match.row?.id ?? null), index);
    if ('problem' in match) {
      const addition = createNewResource(line, '', null, lab);
      return invalidLine(line, [match.problem, ...('problem' in addition ? [addition.problem] : [])].join(' '));
    }
    const parent = match.line === undefined ? null : resolve(match.line);
    if (parent?.line.status === 'invalid') return invalidLine(line, texts.parentInvalid(parent.line.line));
    const container = match.row === undefined ? (parent?.container ?? null) : toContainer(match.row, index);
    if (match.line !== undefined && container === null) return invalidLine(line, texts.noContainer(match.line.name));
    if (container !== null && isPart(line, container)) return planPart(line, container, parent);
    return planInPlace(line, container, parent);
  }

  function planInPlace(line: FileLine, container: Container | null, parent: PlannedLine | null): PlannedLine {
    const placement =
      container === null ? placeAtTop(line, topByName.get(line.name) ?? []) : findPlacement(container, line, index);
    const to = 'to' in placement ? placement.to : null;
    const positionText = to?.key ?? line.position ?? '';
    // A well's key is only its column; the ID of its row distinguishes it from wells above and below.
    const id = line.id ?? deriveId([to?.parentId ?? container?.id ?? '', positionText, line.name]);
    const duplicate = line.id === null ? byId.get(id) : undefined;
    if (duplicate !== undefined) return invalidLine(line, texts.sameLine(duplicate.number));
    byId.set(id, line);
    const sameRow = index.byId.get(id) ?? findSameNamed(line, placement);
    if (sameRow !== null) return planExisting(line, sameRow, container?.id ?? null, index);
    if ('problem' in placement) return invalidLine(line, placement.problem);
    if (placement.existing !== null && container?.type !== undefined && !isOrdered(container))
      return invalidLine(line, texts.occupied(line.position ?? positionText, placement.existing.name));
    return planAddition(line, { id, to: placement.to, container, parent }, reserved, lab);
  }

  for (const line of lines) resolve(line);
  return lines.flatMap((line) => plannedLines.get(line)?.line ?? []);
}

function invalidLine(line: FileLine, text: string): PlannedLine {
  return { line: createLine(line, { status: 'invalid', text }), container: null };
}

/** Returns the existing resource with the line's name, for a line without an ID. */
function findSameNamed(
  line: FileLine,
  placement: Placement | TopPlace | { readonly problem: string },
): ResourceRow | null {
  if (line.id !== null || 'problem' in placement || placement.existing === null) return null;
  return placement.existing.name === line.name ? placement.existing : null;
}

/** The top level of the lab; `existing` is the resource there with the line's name, or `null`. */
type TopPlace = { readonly to: null; readonly existing: ResourceRow | null };

/** @param candidates the top-level resources with the line's name */
function placeAtTop(line: FileLine, candidates: readonly ResourceRow[]): TopPlace | { readonly problem: string } {
  const sameType = candidates.filter(({ type }) => line.type === null || line.type === type);
  const matching = sameType.length > 0 ? sameType : candidates;
  if (matching.length > 1 && line.id === null) return { problem: texts.twiceInLab(matching.length) };
  return { to: null, existing: line.id === null ? (matching[0] ?? null) : null };
}

/** @param lineContainerId ID of the line's container; `null` if it is unknown, or the line has none */
function planExisting(
  line: FileLine,
  row: ResourceRow,
  lineContainerId: string | null,
  index: ResourceIndex,
): PlannedLine {
  const container = isContainer(row) ? toContainer(row, index) : null;
  if (line.type !== null && line.type !== row.type) {
    const text = `It is of type ${resourceTexts.type(row.type)}, not ${resourceTexts.type(line.type)}.`;
    return { line: createLine(line, { status: 'invalid', text, id: row.id }), container };
  }
  const { parent, position } = locateResource(row, index);
  const difference = compareWithStored(line, row);
  const hasMoved = lineContainerId !== null && lineContainerId !== parent?.id;
  const parts = [
    ...(difference?.parts ?? []),
    ...(hasMoved ? [importTexts.isIn(formatPlacement(parent, position, index))] : []),
  ];
  const problem = difference?.problem ?? null;
  return {
    line: createLine(line, {
      status: problem !== null ? 'invalid' : difference === null ? 'existing' : 'changed',
      text: problem ?? parts.join('; '),
      id: row.id,
      place: formatPlacement(parent, position, index),
      change: problem === null ? difference : null,
    }),
    container,
  };
}
function formatPlacement(parent: ResourceRow | null, position: string, index: ResourceIndex): string {
  return parent === null ? '' : `${formatPath(parent, index)}${position === '' ? '' : `: ${position}`}`;
}

function planAddition(
  line: FileLine,
  { id, to, container, parent }: { id: string; to: AddTarget; container: Container | null; parent: PlannedLine | null },
  reserved: Reservations,
  lab: ImportLab,
): PlannedLine {
  const plan = createNewResource(line, id, to, lab);
  if ('problem' in plan) return invalidLine(line, plan.problem);
  if (container !== null && to !== null) {
    const count = reserved.counts.get(container.id) ?? 0;
    const noSpace = findNoSpaceReason(container, plan.type, count, lab.index);
    if (noSpace !== null) return invalidLine(line, noSpace);
    const occupantName = to.key === null ? undefined : reserved.places.get(placeKey(to));
    if (occupantName !== undefined)
      return invalidLine(line, texts.occupied(line.position ?? to.key ?? '', occupantName));
    reserved.counts.set(container.id, count + 1);
    reserved.places.set(placeKey(to), line.name);
  }
  const position = to === null || to.key === null ? '' : (line.position ?? to.key);
  return {
    line: createLine(line, {
      status: 'new',
      text:
        plan.unit === null
          ? resourceTexts.type(plan.type)
          : `${resourceTexts.type(plan.type)}, in ${plan.unit} (attribute “unit”)`,
      id,
      place: container === null ? '' : `${container.name}${position === '' ? '' : `: ${position}`}`,
      precedingKey: findPrecedingKey(parent),
      add: plan.resource,
    }),
    container: plan.container,
  };
}

/**
 * Returns the key of the line to execute first. A plate's line creates its parts, so their contents depend on that line.
 */
function findPrecedingKey(parent: PlannedLine | null): string | null {
  if (parent === null) return null;
  return parent.line.status === 'new' ? parent.line.key : parent.line.precedingKey;
}

/** Returns whether the line is a row of a grid or a layer of a voxel grid, which the plate's line creates. */
function isPart(line: FileLine, container: Container): boolean {
  return (
    (container.type === 'grid' && line.type === 'row') || (container.type === 'voxel_grid' && line.type === 'grid')
  );
}
function planPart(line: FileLine, container: Container, parent: PlannedLine | null): PlannedLine {
  const newLine = createLine(line, {
    status: 'existing',
    text: 'It is created with its plate.',
    place: container.name,
    precedingKey: findPrecedingKey(parent),
  });
  const partIndex = Math.max(0, Number(line.position ?? 0));
  if (container.type === 'voxel_grid') {
    const layer: Container = {
      ...container,
      type: 'grid',
      name: line.name,
      row: null,
      rowIds: () => container.rowIds(partIndex),
    };
    return { line: newLine, container: layer };
  }
  const id = container.rowIds(0)[partIndex] ?? null;
  const row: Container | null =
    id === null ? null : { ...container, id, type: 'row', rows: 1, name: line.name, row: null, rowIds: () => [id] };
  return { line: newLine, container: row };
}

function createLine(line: FileLine, overrides: Partial<ImportLine> & Pick<ImportLine, 'status' | 'text'>): ImportLine {
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
    ...overrides,
  };
}
