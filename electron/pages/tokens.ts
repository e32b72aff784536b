/** Puts the look's colours on the page. */
import { tokenRules } from './tokenRules.ts';

export function applyTokens(): void {
  const style = document.createElement('style');
  style.textContent = tokenRules();
  document.head.append(style);
}
