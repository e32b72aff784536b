/** The command palette with what every panel gives it: loaded when it is first opened, so that Overview is there sooner. */
import { h, type FunctionalComponent } from 'vue';
import { panels } from '../panels.ts';

export async function loadPalette(): Promise<FunctionalComponent> {
  const [{ default: CommandPalette }, parts] = await Promise.all([
    import('./CommandPalette.vue'),
    Promise.all(panels.flatMap(({ palette }) => palette?.() ?? [])),
  ]);
  const palettes = parts.map(({ palette }) => palette);
  return () => h(CommandPalette, { panels, palettes });
}
