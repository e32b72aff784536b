/** Waits until a ref is true. */
import { watch, type Ref } from 'vue';

export function whenTrue(value: Readonly<Ref<boolean>>): Promise<void> {
  return new Promise((resolve) => {
    const stop = watch(
      value,
      (now) => {
        if (!now) return;
        resolve();
        // The watcher may not exist yet when it is true at once.
        queueMicrotask(() => stop());
      },
      { immediate: true },
    );
  });
}
