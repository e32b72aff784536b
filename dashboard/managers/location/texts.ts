import { andMore } from '#api/countText.ts';

export const locationTexts = {
  /** The contents of a location, in one line. */
  contents: (names: readonly string[]) =>
    names.length <= 2 ? names.join(', ') : `${names.slice(0, 2).join(', ')} ${andMore(names.length - 2)}`,
  /** Differences of a location from the state that was confirmed. */
  changed: {
    missing: 'The location manager no longer has this location.',
    nothing: 'nothing',
    resource: (shown: string, now: string) => `Attached: ${shown} was shown; now ${now}.`,
    field: (field: string) => `Its ${field.replaceAll('_', ' ').replace('.', ' for ')} has changed.`,
    representation: (node: string, now: string) => `The representation for ${node} is ${now} now.`,
    planned: (name: string) => `“${name}” was added, changed or deleted: the import would do something else with it.`,
    nameExists: (name: string) => `A location “${name}” already exists.`,
    templateExists: (name: string) => `A template “${name}” already exists.`,
    noTemplate: (name: string) => `The template “${name}” no longer exists.`,
    template: (name: string) => `The template “${name}” has changed.`,
    moveTitle: (resource: string, location: string) => `“${resource}” is at “${location}”. Move it?`,
    moveEffect: (resource: string, location: string) =>
      `“${resource}” is detached from “${location}” first: it can be at only one location.`,
    inContainer: (resource: string, parent: string) =>
      `“${resource}” is in “${parent}”, and stays in it: attaching it does not take it out.`,
    inContainerTitle: (resource: string) => `“${resource}” is in a container. Attach it?`,
  },
} as const;
