/** Definition of a panel: one per panel folder, listed in `app/panels.ts`. */
import { computed, type Component, type ComputedRef, type InjectionKey } from 'vue';
import type { RouteLocationRaw } from 'vue-router';
import type { Need } from '../../api/lab/needs.ts';
import type { StateAppearance } from '../../api/states.ts';
import { useNeeds } from '../managers/lab/useNeeds.ts';

interface Page {
  readonly name: string;
  /** Relative to the page's base. */
  readonly path: string;
  /** Title until the page sets a specific one, such as the name of its object. */
  readonly title: string;
  readonly load: () => Promise<{ default: Component }>;
}

export interface Panel extends Page {
  /** A path of Material Design Icons. */
  readonly icon: string;
  /** The second key of the key sequence `g …` that opens it. */
  readonly key: string;
  /** Panels of one group are adjacent in the rail. */
  readonly group: 'lab' | 'work' | 'things' | 'records';
  /** True for the four panels in the bottom bar of a phone; the others are below "More". */
  readonly isFirstOnPhone?: true;
  /** Seconds that the panel is shown in kiosk mode (`?kiosk`); 0 leaves it out. */
  readonly kioskSeconds: number;
  /** Subpages, each with its own route. */
  readonly pages?: readonly Page[];
  /** Returns the number of objects that need attention, for the badge in the rail. Called once, in the frame's setup. */
  readonly useBadge?: () => ComputedRef<number>;
  /**
   * Returns the objects that need attention, for the Overview. Called in the Overview's setup, so other pages send no
   * requests for it.
   */
  readonly useAttention?: () => ComputedRef<readonly AttentionItem[]>;
  /** Returns whether rail, palette and wall screens offer the panel. Called once, in the setup of each. Default: always. */
  readonly useIsOffered?: () => ComputedRef<boolean>;
  /** Command palette entries of the panel; loaded when the palette is first opened. */
  readonly palette?: () => Promise<{ readonly palette: PanelPalette }>;
}

/** A panel's part of the command palette. Its `use…` functions are called once, in the palette's setup. */
export interface PanelPalette {
  /** Returns entries for the loaded objects; `isActive` is true while the palette is open. */
  readonly useEntries: (isActive: () => boolean) => ComputedRef<readonly PaletteEntry[]>;
  /**
   * Returns a function that looks up an ID in the panel's manager. It resolves with `null` for an ID that does not
   * exist, and rejects with `ManagerError` if the lookup fails.
   */
  readonly useById?: () => (id: string, signal: AbortSignal) => Promise<PaletteEntry | null>;
  /** Returns the entry that opens the search over all objects of the manager. */
  readonly search?: (typed: string) => PaletteEntry;
}

/** Returns the panels that are offered now. */
export function useOfferedPanels(panels: readonly Panel[]): ComputedRef<readonly Panel[]> {
  const offers = new Map(panels.map(({ name, useIsOffered }) => [name, useIsOffered?.()]));
  return computed(() => panels.filter(({ name }) => offers.get(name)?.value ?? true));
}

/** An item that needs attention: name, reason, time and one action. */
export interface AttentionItem {
  /** Identifies the item. For a hideable item it identifies this occurrence: a recurrence has another key. */
  readonly key: string;
  readonly appearance: StateAppearance;
  readonly name: string;
  readonly reason: string;
  /** True if the condition may have changed, because its source does not respond. */
  readonly stale?: true;
  /** ms since the epoch; `null` if unknown. */
  readonly since: number | null;
  /** True for a point in time; a condition that continues has no `past`. */
  readonly past?: true;
  readonly action: { readonly label: string; readonly to?: RouteLocationRaw };
  /** True for items that are past or may be intended: they can be hidden permanently in this browser. */
  readonly hideable?: true;
}

/** All panels' attention items; the frame provides them to the Overview, which has no dependency on other panels. */
export const panelAttention: InjectionKey<() => ComputedRef<readonly AttentionItem[]>> = Symbol('panelAttention');

/** An entry of the command palette: a page to open or a command. */
export interface PaletteEntry {
  readonly key: string;
  /** Kind of the object, for example `Node`. */
  readonly kind: string;
  readonly title: string;
  /** Additional search terms, such as an ID, a state or an author. */
  readonly alternativeNames?: readonly string[];
  /** Lower-case queries for which this entry is always the first result. */
  readonly names?: readonly string[];
  /** Added to the score of a match, so that running objects rank above finished ones. */
  readonly weight?: number;
  /** Secondary text: state, end time. */
  readonly subtitle?: string;
  readonly appearance?: StateAppearance;
  /** The route to open, or the function to call. */
  readonly choose: RouteLocationRaw | (() => void);
}

/** Creates the badge of a panel that counts all its items. */
export function createBadge(useItems: () => ComputedRef<readonly AttentionItem[]>): () => ComputedRef<number> {
  return () => {
    const items = useItems();
    return computed(() => items.value.length);
  };
}

/** Creates the badge of a panel that counts the items of these kinds that need a person. */
export function createNeedBadge(kinds: readonly Need['kind'][]): () => ComputedRef<number> {
  return () => {
    const needs = useNeeds();
    return computed(() => needs.value.current.filter(({ kind }) => kinds.includes(kind)).length);
  };
}

/** Marks current conditions as stale if their source does not respond; past items stay unchanged. */
export function markStale(items: readonly AttentionItem[], isStale: boolean): readonly AttentionItem[] {
  return isStale ? items.map((item) => (item.past ? item : { ...item, stale: true })) : items;
}
