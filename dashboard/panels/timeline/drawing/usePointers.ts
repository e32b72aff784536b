/** One finger or the mouse drags and presses, two fingers pinch, the mouse hovers. */
interface PointerActs {
  readonly isEnabled: () => boolean;
  /** Called with the distance since the last call, in CSS pixels. */
  readonly onMove: (by: number) => void;
  /** `factor` below 1: the fingers moved apart. */
  readonly onPinch: (factor: number, clientX: number) => void;
  readonly onPress: (event: PointerEvent) => void;
  /** `null` if no element is under the pointer. */
  readonly onHover: (event: PointerEvent | null) => void;
}

/** Shorter movements count as a press, in CSS pixels. */
const steady = 4;

/** Listeners for `v-on`. */
export function usePointers(acts: PointerActs) {
  const down = new Map<number, { x: number; y: number }>();
  let travelled = 0;
  let pinching = false;

  function onPointerdown(event: PointerEvent): void {
    if (event.button !== 0 || !acts.isEnabled()) return;
    if (event.currentTarget instanceof HTMLElement) event.currentTarget.setPointerCapture?.(event.pointerId);
    if (down.size === 0) [travelled, pinching] = [0, false];
    if (event.pointerType === 'touch') acts.onHover(null);
    down.set(event.pointerId, { x: event.clientX, y: event.clientY });
  }
  function onPointermove(event: PointerEvent): void {
    const pointer = down.get(event.pointerId);
    if (pointer === undefined) {
      if (event.pointerType !== 'touch') acts.onHover(event);
      return;
    }
    const before = { ...pointer };
    [pointer.x, pointer.y] = [event.clientX, event.clientY];
    if (down.size === 2) {
      pinching = true;
      const other = [...down].find(([id]) => id !== event.pointerId)?.[1] ?? pointer;
      const apart = (point: { x: number; y: number }) => Math.max(1, Math.hypot(point.x - other.x, point.y - other.y));
      acts.onPinch(apart(before) / apart(pointer), (pointer.x + other.x) / 2);
      return;
    }
    travelled += Math.abs(pointer.x - before.x) + Math.abs(pointer.y - before.y);
    if (travelled <= steady || pinching) return;
    acts.onHover(null);
    acts.onMove(pointer.x - before.x);
  }
  function onPointerup(event: PointerEvent): void {
    const was = down.delete(event.pointerId);
    if (was && down.size === 0 && travelled <= steady && !pinching) acts.onPress(event);
  }
  function onPointercancel(event: PointerEvent): void {
    down.delete(event.pointerId);
    travelled = Infinity;
  }
  return {
    pointerdown: onPointerdown,
    pointermove: onPointermove,
    pointerup: onPointerup,
    pointercancel: onPointercancel,
    // A finger leaves when it is lifted; what it pressed stays described until the next press.
    pointerleave: (event: PointerEvent) => {
      if (event.pointerType !== 'touch') acts.onHover(null);
    },
  };
}
