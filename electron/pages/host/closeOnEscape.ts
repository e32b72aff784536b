/** Esc closes a small window of the app. */
import { onMounted, onUnmounted } from 'vue';

function onKey({ key }: KeyboardEvent): void {
  if (key === 'Escape') window.close();
}

/** For as long as the page is there. */
export function useCloseOnEscape(): void {
  onMounted(() => window.addEventListener('keydown', onKey));
  onUnmounted(() => window.removeEventListener('keydown', onKey));
}
