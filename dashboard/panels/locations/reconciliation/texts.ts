/** Words of reconciliation. */
import { figure, plural } from '../../../base/texts.ts';
import type { Unresolved } from '../../../managers/location/unresolved.ts';

const parts = [
  ['resources_resolved', 'resource made', 'resources made'],
  ['representations_updated', 'representation completed', 'representations completed'],
  ['templates_synced', 'template added or updated', 'templates added or updated'],
  ['locations_synced', 'location added', 'locations added'],
  ['training_applied', 'training entry applied', 'training entries applied'],
  // The manager skips those whose location isn't there.
  ['training_skipped', 'training entry without a location skipped', 'training entries without a location skipped'],
] as const;

export const reconciliationTexts = {
  title: 'Reconciliation',
  more: (file: string, seconds: number) =>
    `Every ${figure(seconds)} s the location manager makes missing resources, completes representations from their templates${file === '' ? '' : `, and reads ${file}`}.`,
  off: 'It is switched off in the location manager’s settings: it only happens when it is asked for.',
  now: 'Reconcile now',
  target: 'locations and resources',
  what: 'Reconcile locations',
  last: (when: string) => `Last at ${when}:`,
  never: 'Not yet since the location manager was started.',
  /** What one of them did, zeros left out. */
  results: (results: Readonly<Record<string, unknown>> | null | undefined) => {
    const said = parts.flatMap(([key, one, several]) => {
      const count = results?.[key];
      return typeof count === 'number' && count > 0 ? [count === 1 ? `1 ${one}` : `${figure(count)} ${several}`] : [];
    });
    return said.length === 0 ? 'nothing to do' : said.join(', ');
  },
  done: (results: string) => `Reconciled: ${results}.`,
  unresolved: (count: number) => plural(count, 'unresolved location', 'unresolved locations'),
  why: ({ template, why }: Pick<Unresolved, 'template' | 'why'>): string => {
    switch (why) {
      case 'missing':
        return `waits for the resource template ${template}, which the resource manager doesn’t have`;
      case 'capitals':
        return `waits for the resource template ${template}, which is never found: the resource manager looks names up in lower case`;
      case 'there':
        return `waits for a resource from the template ${template}, which the next reconciliation makes; if it stays, the resource manager refuses`;
      case 'unknown':
        return `waits for the resource template ${template}`;
    }
  },
} as const;
