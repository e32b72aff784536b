/** Copies a text on request. The outcome is announced, and reset after two seconds. */
import { useTimeoutFn } from '@vueuse/core';
import { ref } from 'vue';
import { useUi } from '../../base/ui.ts';
import { copyTexts } from '../texts.ts';
import { copy } from './copyText.ts';

export function useCopy(text: () => string) {
  const ui = useUi();
  const outcome = ref<'idle' | 'done' | 'failed'>('idle');
  const { start: resetLater } = useTimeoutFn(() => (outcome.value = 'idle'), 2000, { immediate: false });

  async function onCopy(): Promise<void> {
    outcome.value = (await copy(text())) ? 'done' : 'failed';
    ui.announcement = outcome.value === 'done' ? copyTexts.done : copyTexts.failed;
    resetLater();
  }
  return { outcome, onCopy };
}
