import { formatNumber, plural } from '../../../../api/countText.ts';
import type { InvalidEntry } from '../../../managers/location/importPlan.ts';
import { addingTexts } from '../adding/texts.ts';

const locations = (count: number) => plural(count, 'location', 'locations');

export const importingTexts = {
  open: 'Import…',
  export: 'Export',
  exportHint: 'Saves all locations as JSON that Import takes',
  exportSelected: (count: number) => `Export ${locations(count)}`,
  exportWhat: 'Export locations',
  exported: (count: number) => `${locations(count)} saved.`,
  title: 'Import locations',
  file: 'File',
  fileHint: 'An exported list (JSON), or a lab’s locations.yaml, of which “locations” are read.',
  unreadable: (name: string, reason: string) => `${name} can’t be read: ${reason}`,
  noList: (name: string) => `${name} is neither a list of locations nor has it a list “locations”.`,
  empty: (name: string) => `${name} has no locations.`,
  plan: 'Preview',
  summary: (counts: { fresh: number; differing: number; same: number; wrong: number }) =>
    [
      `${formatNumber(counts.fresh)} new`,
      `${formatNumber(counts.differing)} stored differently`,
      `${formatNumber(counts.same)} the same`,
      `${formatNumber(counts.wrong)} wrong`,
    ].join(', '),
  overwrite: 'Overwrite those that are stored differently',
  overwriteMore:
    'The location manager replaces a location as a whole: what the file leaves out is reset. The stored ID stays.',
  noResources:
    'No resources are created now: the next reconciliation creates those of new locations with a resource template.',
  verdict: { new: 'New', same: 'The same', overwritten: 'Overwritten', unchanged: 'Unchanged', wrong: 'Wrong' },
  columns: { name: 'Location', verdict: 'Action', more: 'Details' },
  unnamed: (place: number) => `entry ${formatNumber(place)}`,
  stored: 'Stored',
  inFile: 'File',
  wrong: (reason: InvalidEntry): string => {
    switch (reason.kind) {
      case 'notObject':
        return 'It is not an object with fields.';
      case 'name':
        return addingTexts.nameProblem(reason.problem);
      case 'twice':
        return 'The file has this name twice; the first is taken.';
      case 'field':
        return reason.field === '' ? 'It can’t be read.' : `${reason.field} is missing or of the wrong type.`;
      case 'unread':
        return `${reason.field} can’t be sent under this name: give it another.`;
      case 'id':
        return `${reason.id} is not a ULID: leave location_id out, and the location manager generates one.`;
      case 'idTaken':
        return `Its ID is that of ${reason.by}: leave location_id out, and the location manager generates one.`;
    }
  },
  action: (count: number) => `Import ${locations(count)}`,
  nothingToSend: 'The file has nothing to import.',
  wrongLeftOut: 'Wrong ones are left out: the location manager would refuse all for one.',
  what: (file: string) => `Import locations from ${file}`,
  results: 'What the location manager did',
  outcome: { imported: 'Imported', skipped: 'Skipped', failed: 'Failed' },
  skippedMore: 'It was added in the meantime, or its ID is in use.',
  unnamedInAnswer: (imported: number) =>
    `The location manager reports ${locations(imported)} imported, but names others. Check the locations before trying again.`,
  done: (imported: number, all: number) => `${formatNumber(imported)} of ${locations(all)} imported.`,
} as const;
