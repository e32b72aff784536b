import { formatNumber, plural } from '#api/countText.ts';
import type { OmittedSection } from '#dashboard/managers/location/locationFile.ts';
import type { InvalidEntry } from '#dashboard/managers/location/importPlan.ts';
import { addingTexts } from '../texts.ts';

const locations = (count: number) => plural(count, 'location', 'locations');

export const importingTexts = {
  open: 'Import…',
  exportSelected: (count: number) => `Export ${locations(count)}`,
  exported: (count: number) => `${locations(count)} saved.`,
  title: 'Import locations',
  file: 'File',
  unreadable: (name: string, reason: string) => `${name} can’t be read: ${reason}`,
  omitted: (sections: readonly OmittedSection[]) =>
    `Only the locations are imported. Not imported: ${sections
      .map(({ name, count }) => (count === null ? name : `${formatNumber(count)} in “${name}”`))
      .join(', ')}. The location manager reads these sections only from its own file (LOCATION_LAB_CONFIG_FILE).`,
  plan: 'Preview',
  summary: (counts: { new: number; different: number; same: number; invalid: number }) =>
    [
      `${formatNumber(counts.new)} new`,
      `${formatNumber(counts.different)} stored differently`,
      `${formatNumber(counts.same)} the same`,
      `${formatNumber(counts.invalid)} invalid`,
    ].join(', '),
  overwrite: 'Overwrite those that are stored differently',
  effect: { new: 'New', same: 'The same', overwritten: 'Overwritten', unchanged: 'Unchanged', invalid: 'Invalid' },
  unnamed: (position: number) => `entry ${formatNumber(position)}`,
  invalid: (reason: InvalidEntry): string => {
    switch (reason.kind) {
      case 'notObject':
        return 'It is not an object with fields.';
      case 'name':
        return addingTexts.nameProblem(reason.problem);
      case 'duplicate':
        return 'The file contains this name twice; the first entry is used.';
      case 'field':
        return reason.field === '' ? 'It can’t be read.' : `${reason.field} is missing or of the wrong type.`;
      case 'unsupportedName':
        return `A field can’t be named ${reason.field}: rename it.`;
      case 'id':
        return `${reason.id} is not a ULID: leave location_id out, and the location manager generates one.`;
      case 'idTaken':
        return `Its ID is that of ${reason.owner}: leave location_id out, and the location manager generates one.`;
    }
  },
  action: (count: number) => `Import ${locations(count)}`,
  outcome: { imported: 'Imported', skipped: 'Skipped', failed: 'Failed' },
  unexpectedLocations: (imported: number) =>
    `The location manager reports ${locations(imported)} imported, but lists different ones. Check the locations before trying again.`,
  done: (imported: number, all: number) => `${formatNumber(imported)} of ${locations(all)} imported.`,
} as const;
