/** Roving focus: keyboard navigation in lists, toolbars and grids of which only one item is in the tab order. Pure. */

/** The parts of a `KeyboardEvent` that are used. */
interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

export interface Roving {
  /** The index of the current item; -1 for none. */
  readonly at: number;
  readonly count: number;
  /** `both`: up and right move forward, as in a slider. A number: the columns of a grid, filled row by row. */
  readonly along?: 'vertical' | 'horizontal' | 'both' | number;
  /** The step of Page Up and Page Down; without it they aren't handled. */
  readonly page?: number;
  /** Whether the first item follows the last. */
  readonly wraps?: boolean;
}

/**
 * @returns the index of the current item after the press; `null` for another key, or with Ctrl, Alt or Meta (except
 * Ctrl+Home and Ctrl+End of a grid, which move to its first and last item)
 */
export function rovedTo(press: KeyPress, roving: Roving): number | null {
  const { at, count, wraps = false } = roving;
  if (count <= 0 || press.altKey || press.metaKey) return null;
  const columns = typeof roving.along === 'number' ? roving.along : null;
  if (columns !== null) return moveInGrid(press, at, count, columns);
  if (press.ctrlKey) return null;
  const target = moveInList(press.key, roving);
  if (target === null) return null;
  if (wraps && target === -1) return count - 1;
  return wraps && target === count ? 0 : within(target, count);
}

function moveInList(key: string, { at, count, along = 'vertical', page }: Roving): number | null {
  switch (key) {
    case 'ArrowDown':
      return along === 'vertical' ? at + 1 : along === 'both' ? at - 1 : null;
    case 'ArrowUp':
      return along === 'vertical' ? Math.max(0, at) - 1 : along === 'both' ? at + 1 : null;
    case 'ArrowRight':
      return along === 'vertical' ? null : at + 1;
    case 'ArrowLeft':
      return along === 'vertical' ? null : Math.max(0, at) - 1;
    case 'PageDown':
      return page === undefined ? null : along === 'both' ? at - page : at + page;
    case 'PageUp':
      return page === undefined ? null : along === 'both' ? at + page : at - page;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return null;
  }
}

/** In a grid, arrows stay in their row or column; Home and End move within the row. */
function moveInGrid(press: KeyPress, at: number, count: number, columns: number): number | null {
  const here = within(at, count);
  const first = here - (here % columns);
  const last = Math.min(count, first + columns) - 1;
  if (press.ctrlKey) return press.key === 'Home' ? 0 : press.key === 'End' ? count - 1 : null;
  switch (press.key) {
    case 'ArrowRight':
      return Math.min(last, here + 1);
    case 'ArrowLeft':
      return Math.max(first, here - 1);
    case 'ArrowDown':
      return here + columns < count ? here + columns : here;
    case 'ArrowUp':
      return here >= columns ? here - columns : here;
    case 'Home':
      return first;
    case 'End':
      return last;
    default:
      return null;
  }
}

const within = (index: number, count: number): number => Math.min(count - 1, Math.max(0, index));
