/** The name under which this browser takes locks: one a browser, so that a page that was closed can be released by the next. */
import { ulid } from 'ulid';

const key = 'lab-manager.lock-holder';

export function lockHolder(): string {
  const known = localStorage.getItem(key);
  if (known !== null) return known;
  const made = `lab-manager-dashboard-${ulid()}`;
  localStorage.setItem(key, made);
  return made;
}
