/** Roving focus: keyboard navigation in lists, toolbars and grids with only one item in the tab order. */

/** The parts of a `KeyboardEvent` that are used. */
interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

export interface RovingState {
  /** The index of the current item; -1 for none. */
  readonly current: number;
  readonly count: number;
  /** `both`: up and right move forward, as in a slider. A number: the columns of a grid, filled row by row. */
  readonly direction?: 'vertical' | 'horizontal' | 'both' | number;
  /** The step of Page Up and Page Down; without it they aren't handled. */
  readonly page?: number;
  /** Whether the first item follows the last. */
  readonly wraps?: boolean;
}

/**
 * Returns the index of the current item after a key press; `null` for another key, or with Ctrl, Alt or Meta (except
 * Ctrl+Home and Ctrl+End in a grid, which move to its first and last item).
 */
export function rove(press: KeyPress, roving: RovingState): number | null {
  const { current, count, wraps = false } = roving;
  if (count <= 0 || press.altKey || press.metaKey) return null;
  const columns = typeof roving.direction === 'number' ? roving.direction : null;
  if (columns !== null) return moveInGrid(press, current, count, columns);
  if (press.ctrlKey) return null;
  const target = moveInList(press.key, roving);
  if (target === null) return null;
  if (wraps && target === -1) return count - 1;
  return wraps && target === count ? 0 : clamp(target, count);
}

function moveInList(key: string, { current, count, direction = 'vertical', page }: RovingState): number | null {
  switch (key) {
    case 'ArrowDown':
      return direction === 'vertical' ? current + 1 : direction === 'both' ? current - 1 : null;
    case 'ArrowUp':
      return direction === 'vertical' ? Math.max(0, current) - 1 : direction === 'both' ? current + 1 : null;
    case 'ArrowRight':
      return direction === 'vertical' ? null : current + 1;
    case 'ArrowLeft':
      return direction === 'vertical' ? null : Math.max(0, current) - 1;
    case 'PageDown':
      return page === undefined ? null : direction === 'both' ? current - page : current + page;
    case 'PageUp':
      return page === undefined ? null : direction === 'both' ? current + page : current - page;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return null;
  }
}

/** In a grid, arrows stay in their row or column; Home and End move within the row. */
function moveInGrid(press: KeyPress, current: number, count: number, columns: number): number | null {
  const index = clamp(current, count);
  const first = index - (index % columns);
  const last = Math.min(count, first + columns) - 1;
  if (press.ctrlKey) return press.key === 'Home' ? 0 : press.key === 'End' ? count - 1 : null;
  switch (press.key) {
    case 'ArrowRight':
      return Math.min(last, index + 1);
    case 'ArrowLeft':
      return Math.max(first, index - 1);
    case 'ArrowDown':
      return index + columns < count ? index + columns : index;
    case 'ArrowUp':
      return index >= columns ? index - columns : index;
    case 'Home':
      return first;
    case 'End':
      return last;
    default:
      return null;
  }
}

const clamp = (index: number, count: number): number => Math.min(count - 1, Math.max(0, index));
