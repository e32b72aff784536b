/** All entries of the palette: pages, the panels' entries, and general commands. */
import { computed, type ComputedRef } from 'vue';
import { safetyStopTexts as stopTexts } from '#api/safetyStop/safetyStopTexts.ts';
import { guideFolder, guideStart } from '#api/guide.ts';
import { openInNewTab } from '../../base/serviceAddress.ts';
import { themeChoices } from '../../base/themeChoice.ts';
import { useUi } from '../../base/ui.ts';
import { useLabHistory } from '../../managers/lab/labQueries.ts';
import { useSafetyStop } from '../../managers/safetyStop/useSafetyStop.ts';
import { useOfferedPanels, type PaletteEntry, type Panel, type PanelPalette } from '../../panels/panel.ts';
import { paletteTexts as texts } from '../texts.ts';

const pageWeight = 8;

export function useEntries(
  panels: readonly Panel[],
  palettes: readonly PanelPalette[],
): ComputedRef<readonly PaletteEntry[]> {
  const ui = useUi();
  const offered = useOfferedPanels(panels);
  const pages = computed(() =>
    offered.value.flatMap((panel) => [
      pageEntry(panel, pageWeight),
      // Pages of one object are found by its name.
      ...(panel.pages ?? []).filter(({ path }) => !path.includes(':')).map((page) => pageEntry(page, 0)),
    ]),
  );
  const panelEntries = palettes.map((palette) => palette.useEntries(() => ui.paletteOpen));
  const commands = useFrameCommands();
  return computed(() => [...pages.value, ...panelEntries.flatMap(({ value }) => value), ...commands.value]);
}

const pageEntry = ({ name, path, title }: Pick<Panel, 'name' | 'path' | 'title'>, weight: number): PaletteEntry => ({
  key: `page ${name}`,
  kind: 'Page',
  title,
  weight,
  choose: path,
});

function useFrameCommands(): ComputedRef<readonly PaletteEntry[]> {
  const ui = useUi();
  const safetyStop = useSafetyStop();
  const history = useLabHistory();
  const command = (key: string, title: string, choose: () => void): PaletteEntry => ({
    key,
    kind: 'Command',
    title,
    choose,
  });
  return computed(() => [
    {
      ...command('stop', 'Safety stop: stop every node now', () => void safetyStop.stop()),
      alternativeNames: texts.stopNames,
      names: texts.stopNames,
      ...(safetyStop.unavailableReason !== null && { subtitle: stopTexts.unavailable(safetyStop.unavailableReason) }),
    },
    command('check', 'Refresh the lab’s health now', () => history.retry()),
    command('guide', 'Open the user guide', () => openInNewTab(guideFolder + guideStart)),
    command('keys', 'Show the keyboard shortcuts', () => (ui.keysOpen = true)),
    ...themeChoices.map((choice) =>
      command(`theme ${choice}`, `Theme: ${texts.themeAs[choice]}`, () => (ui.theme = choice)),
    ),
  ]);
}
