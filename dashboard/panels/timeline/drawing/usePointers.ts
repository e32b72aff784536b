/** One finger or the mouse drags and presses, two fingers pinch, the mouse hovers. */
interface PointerHandlers {
  readonly isEnabled: () => boolean;
  /** Called with the distance since the last call, in CSS pixels. */
  readonly onMove: (delta: number) => void;
  /** `factor` below 1: the fingers moved apart. */
  readonly onPinch: (factor: number, clientX: number) => void;
  readonly onPress: (event: PointerEvent) => void;
  /** `null` when the pointer leaves, drags, or touches the screen. */
  readonly onHover: (event: PointerEvent | null) => void;
}

/** Shorter movements count as a press, in CSS pixels. */
const maxPressMovePx = 4;

/** Listeners for `v-on`. */
export function usePointers(handlers: PointerHandlers) {
  const pointersDown = new Map<number, { x: number; y: number }>();
  let travelledPx = 0;
  let isPinching = false;

  function onPointerdown(event: PointerEvent): void {
    if (event.button !== 0 || !handlers.isEnabled()) return;
    if (event.currentTarget instanceof HTMLElement) event.currentTarget.setPointerCapture?.(event.pointerId);
    if (pointersDown.size === 0) [travelledPx, isPinching] = [0, false];
    if (event.pointerType === 'touch') handlers.onHover(null);
    pointersDown.set(event.pointerId, { x: event.clientX, y: event.clientY });
  }
  function onPointermove(event: PointerEvent): void {
    const pointer = pointersDown.get(event.pointerId);
    if (pointer === undefined) {
      if (event.pointerType !== 'touch') handlers.onHover(event);
      return;
    }
    const previous = { ...pointer };
    [pointer.x, pointer.y] = [event.clientX, event.clientY];
    if (pointersDown.size === 2) {
      isPinching = true;
      const otherPointer = [...pointersDown].find(([id]) => id !== event.pointerId)?.[1] ?? pointer;
      const distanceToOther = (point: { x: number; y: number }) =>
        Math.max(1, Math.hypot(point.x - otherPointer.x, point.y - otherPointer.y));
      handlers.onPinch(distanceToOther(previous) / distanceToOther(pointer), (pointer.x + otherPointer.x) / 2);
      return;
    }
    travelledPx += Math.abs(pointer.x - previous.x) + Math.abs(pointer.y - previous.y);
    if (travelledPx <= maxPressMovePx || isPinching) return;
    handlers.onHover(null);
    handlers.onMove(pointer.x - previous.x);
  }
  function onPointerup(event: PointerEvent): void {
    const wasDown = pointersDown.delete(event.pointerId);
    if (wasDown && pointersDown.size === 0 && travelledPx <= maxPressMovePx && !isPinching) handlers.onPress(event);
  }
  function onPointercancel(event: PointerEvent): void {
    pointersDown.delete(event.pointerId);
    travelledPx = Infinity;
  }
  return {
    pointerdown: onPointerdown,
    pointermove: onPointermove,
    pointerup: onPointerup,
    pointercancel: onPointercancel,
    // A lifted finger also leaves the element; the description of the pressed element stays until the next press.
    pointerleave: (event: PointerEvent) => {
      if (event.pointerType !== 'touch') handlers.onHover(null);
    },
  };
}
