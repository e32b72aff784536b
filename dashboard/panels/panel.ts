/** What a panel gives the frame: one row each, in its own folder, listed by `app/panels.ts`. */
import { computed, type Component, type ComputedRef, type InjectionKey } from 'vue';
import type { RouteLocationRaw } from 'vue-router';
import type { StateLook } from '../../api/states.ts';

interface Page {
  readonly name: string;
  /** Relative to the page's base. */
  readonly path: string;
  /** Until the page knows a better one, such as the name of what it shows. */
  readonly title: string;
  readonly load: () => Promise<{ default: Component }>;
}

export interface Panel extends Page {
  /** A path of Material Design Icons. */
  readonly icon: string;
  /** Second key of the `g …` chord that opens it. */
  readonly key: string;
  /** Panels of one group stand together in the rail. */
  readonly group: 'lab' | 'work' | 'things' | 'records';
  /** Seconds it stays on a wall screen (`?kiosk`); 0 leaves it out. */
  readonly kioskSeconds: number;
  /** Pages below it, each with an address of its own. */
  readonly pages?: readonly Page[];
  /** How many of its things need somebody: the figure in the rail. Called once, in the frame's setup. */
  readonly useBadge?: () => ComputedRef<number>;
  /** What of its things needs somebody, for the Overview. Called in the Overview's setup: nothing is read for it elsewhere. */
  readonly useAttention?: () => ComputedRef<readonly AttentionItem[]>;
  /** What the command palette finds of it; loaded when the palette is first opened. */
  readonly palette?: () => Promise<{ readonly palette: PanelPalette }>;
}

/** A panel's part of the command palette. Its functions are called once, in the palette's setup. */
export interface PanelPalette {
  /** What is known of its things; `asked` while the palette is open. */
  readonly useEntries: (isActive: () => boolean) => ComputedRef<readonly PaletteEntry[]>;
  /** Asks its manager for what has an ID; `null` where there is none. Rejects with `ManagerError` where nobody can tell. */
  readonly useById?: () => (id: string, signal: AbortSignal) => Promise<PaletteEntry | null>;
  /** Where all that its manager has is searched for what was typed. */
  readonly search?: (typed: string) => PaletteEntry;
}

/** One thing that needs a person: what it is, why, since when, and the one thing to do about it. */
export interface AttentionItem {
  /** Tells this occurrence from others: one that comes again has another key. */
  readonly key: string;
  readonly look: StateLook;
  readonly name: string;
  readonly reason: string;
  /** Its part of the Overview's first sentence, where it is worth that: `robotarm_1 in error`. */
  readonly headline?: string;
  /** Nobody knows whether it is still so: who is asked about it doesn't answer. */
  readonly stale?: true;
  /** ms since the epoch; `null` where nobody says. */
  readonly since: number | null;
  /** Whether it happened at that time, rather than goes on since. */
  readonly past?: true;
  readonly action: { readonly label: string; readonly to?: RouteLocationRaw };
  /** What is past, or may be as it is meant to be: it can be hidden for good, in this browser. */
  readonly hideable?: true;
}

/** What the panels say needs somebody; the frame gives it to the Overview, which knows no other panel. */
export const panelAttention: InjectionKey<() => ComputedRef<readonly AttentionItem[]>> = Symbol('panelAttention');

/** One thing that the command palette can open or do. */
export interface PaletteEntry {
  readonly key: string;
  /** What it is, in a word: `Node`. */
  readonly kind: string;
  readonly title: string;
  /** Found by these as well: an ID, a state, an author. */
  readonly also?: readonly string[];
  /** Whole queries, in small letters, for which it is the first result whatever else matches. */
  readonly names?: readonly string[];
  /** Added to a match's score: what is running before what is long over. */
  readonly weight?: number;
  /** Beside the title: its state, when it ended. */
  readonly sub?: string;
  readonly look?: StateLook;
  /** Where it leads, or what it does. */
  readonly choose: RouteLocationRaw | (() => void);
}

/** The figure in the rail of a panel whose every item counts. */
export function badgeOf(useItems: () => ComputedRef<readonly AttentionItem[]>): () => ComputedRef<number> {
  return () => {
    const items = useItems();
    return computed(() => items.value.length);
  };
}

/** Nobody knows then whether it goes on; what is past stays so, whoever answers. */
export function staleItems(items: readonly AttentionItem[], isStale: boolean): readonly AttentionItem[] {
  return isStale ? items.map((item) => (item.past ? item : { ...item, stale: true })) : items;
}
