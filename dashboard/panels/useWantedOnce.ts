/** What is read for the palette: nothing before it was first opened; then it stays, so that the next time it is there at once. */
import { readonly, ref, watch, type Ref } from 'vue';

export function useWantedOnce(asked: () => boolean): Readonly<Ref<boolean>> {
  const isWanted = ref(false);
  watch(asked, (now) => (isWanted.value ||= now), { immediate: true });
  return readonly(isWanted);
}
