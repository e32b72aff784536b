/**
 * Attributes that any component may receive in a template. The type check refuses all others that are not its props,
 * because Vue passes an attribute with the old name of a prop on without a message.
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
