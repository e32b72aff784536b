/**
 * The MADSci version of a lab, from a manager's `/health.version`, and the features that a 0.7 lab lacks. Source:
 * comparison of MADSci 0.7.1 and 0.8.1.
 */

/** The supported contracts. Older than 0.7 counts as 0.7, newer than 0.8 as 0.8. */
export type LabVersion = '0.7' | '0.8';

/** `0.7.1` → `0.7`; null if the text is missing or no version. */
export function readLabVersion(text: string | null | undefined): LabVersion | null {
  const match = /^\s*v?(\d+)\.(\d+)/.exec(text ?? '');
  if (match === null) return null;
  return Number(match[1]) === 0 && Number(match[2]) < 8 ? '0.7' : '0.8';
}

/** Features new in 0.8, with the text for a 0.7 lab. */
export const missingIn07 = {
  resubmitWorkflow: 'MADSci 0.7 cannot resubmit a workflow; submit its definition again.',
  addLocationFromTemplate: 'MADSci 0.7 has no location templates.',
  locationTemplates: 'MADSci 0.7 has no location templates.',
  representationTemplates: 'MADSci 0.7 has no representation templates.',
  initLocation: 'MADSci 0.7 cannot set up a location by name; add it instead.',
  importLocations: 'MADSci 0.7 cannot import locations; add them one by one.',
  exportLocations: 'MADSci 0.7 cannot export locations; the list of locations contains the same data.',
  reconcile: 'MADSci 0.7 does not reconcile locations with templates.',
  detailedTransferGraph: 'MADSci 0.7 does not report which node makes a transfer, nor its cost.',
  managedBy: 'MADSci 0.7 does not report who manages a location.',
  unresolvedLocations: 'MADSci 0.7 creates no resources for locations.',
  objectStorageValue: 'MADSci 0.7 cannot serve data from an object store; open its address instead.',
  intrinsicLocations: 'Nodes of MADSci 0.7 provide no locations of their own.',
  uniqueLocationNames: 'Location names are not unique in MADSci 0.7; the ID distinguishes them.',
} as const;
export type Feature = keyof typeof missingIn07;

/** The reason why the lab lacks the feature; null if it has it, or while its version is unknown. */
export function unsupportedReason(feature: Feature, version: LabVersion | null): string | null {
  return version === '0.7' ? missingIn07[feature] : null;
}
