/**
 * Attributes that any component may receive in a template. The type check rejects all others that are not its props:
 * Vue silently passes on any attribute, for example one with the old name of a prop.
 */
import type { AriaAttributes } from 'vue';

declare module 'vue' {
  interface ComponentCustomProps extends AriaAttributes {
    autocomplete?: string | undefined;
    for?: string | undefined;
    hidden?: boolean | undefined;
    id?: string | undefined;
    novalidate?: boolean | undefined;
    placeholder?: string | undefined;
    role?: string | undefined;
    spellcheck?: boolean | 'true' | 'false' | undefined;
    tabindex?: number | string | undefined;
    title?: string | null | undefined;
    [data: `data-${string}`]: unknown;
  }
  interface HTMLAttributes {
    [data: `data-${string}`]: unknown;
  }
}
