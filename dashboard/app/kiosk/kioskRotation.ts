/** Whose turn it is on a wall screen. Pure. */
import type { Panel } from '../../panels/panel.ts';

/** The panel after `name`; the first one while the lab isn't well. */
export function nextPanel<Turn extends Pick<Panel, 'name' | 'kioskSeconds'>>(
  all: readonly Turn[],
  name: string,
  well: boolean,
): Turn | undefined {
  const turns = all.filter(({ kioskSeconds }) => kioskSeconds > 0);
  if (!well) return turns[0];
  return turns[(turns.findIndex((panel) => panel.name === name) + 1) % turns.length];
}
