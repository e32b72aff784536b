/** Keeps the document title, the icon and the screen reader announcements in step with the lab's state. */
import { computed, watch, watchEffect, type Ref } from 'vue';
import { useRoute } from 'vue-router';
import { stateColors, surfaces } from '../../api/states.ts';
import { shapeSvg } from '../../api/stateShapes.ts';
import { labLabel } from '../../api/lab/followedLab.ts';
import { describeChanges, makeTitleBadge } from '../managers/lab/labBadge.ts';
import { useLabStop } from '../managers/safetyStop/useSafetyStop.ts';
import { useNeeds } from '../managers/lab/useNeeds.ts';
import { useLabHistory } from '../managers/lab/labQueries.ts';
import { appTexts } from './texts.ts';
import { commonTexts } from '../base/texts.ts';
import { useUi } from '../base/ui.ts';

export function useDocumentHead(scheme: Ref<'light' | 'dark'>): void {
  const ui = useUi();
  const route = useRoute();
  const history = useLabHistory();
  const stop = useLabStop();
  const needs = useNeeds();
  const badge = computed(() =>
    makeTitleBadge(history.data.value, history.stale.value, stop.value, needs.value.current),
  );

  watchEffect(() => {
    const panel = route.meta['title'];
    // No page matches until the router has resolved the first one.
    const missing = route.matched.length === 0 ? null : appTexts.notFound.title;
    const page = ui.objectName ?? (typeof panel === 'string' ? panel : missing);
    const data = history.data.value;
    const lab = data === undefined ? commonTexts.appName : labLabel(data, commonTexts.appName);
    const title = [badge.value.text, page, lab].filter((part) => part !== null).join(' · ');
    // Assigning the same title makes the desktop redraw its title bar.
    if (title !== document.title) document.title = title;
  });

  const icon = computed(() => {
    const { shape, color } = badge.value.appearance;
    const dark = scheme.value === 'dark';
    const svg = shapeSvg(shape, stateColors[color][dark ? 1 : 0], dark ? surfaces.dark.background : '#FFFFFF');
    return `data:image/svg+xml,${encodeURIComponent(svg)}`;
  });
  watchEffect(() => document.querySelector('link[rel="icon"]')?.setAttribute('href', icon.value));

  watch(history.data, (after, previous) => {
    const text = after === undefined ? '' : describeChanges(previous, after);
    if (text !== '') ui.announcement = text;
  });
  watch(history.failure, (reason, previous) => {
    if (previous === null && reason !== null) ui.announcement = `No usable answer from the lab manager: ${reason}.`;
    if (previous !== null && reason === null) ui.announcement = 'The lab manager answers again.';
  });
}
