/** Texts of the dialogs that add a datapoint or a note. */
import { formatNumber } from '#api/countText.ts';
import type { RecordSubject } from './recordSubject.ts';

const kinds: Readonly<Record<RecordSubject['kind'], string>> = {
  experiment: 'Experiment',
  workflow: 'Workflow',
  node: 'Node',
};

export const recordsTexts = {
  addData: 'Add data…',
  addNote: 'Add note…',
  subjectLabel: 'About',
  subjectHint: {
    data: 'Type to find an experiment or a workflow',
    note: 'Nothing in particular; type to find an experiment, a workflow or a node',
  },
  kinds,
  subject: (kind: RecordSubject['kind'], name: string) => `${kinds[kind]} ${name}`,
  workflowSub: (id: string, state: string) => `${kinds.workflow} ${id}, ${state}`,
  newest: (count: number) => `Searches the newest ${formatNumber(count)} workflows of the archive`,
  stop: 'Stop',
  data: {
    title: 'Add data',
    verb: 'Add',
    commandText: (name: string) => `Add data “${name}”`,
    kind: 'Kind of data',
    kinds: { photo: 'Photo', file: 'File', value: 'Value' },
    choose: { photo: 'Choose a photo', file: 'Choose a file', camera: 'Take a photo' },
    preview: 'The chosen photo',
    limit: (size: string) => `One file of at most ${size}.`,
    valueKind: 'Type of the value',
    valueKinds: { number: 'Number', text: 'Text', boolean: 'True or false', json: 'JSON' },
    value: 'Value',
    about: 'Belongs to',
    name: 'Name',
    nameHint: 'Shown in lists and found by search.',
    numberNameHint: 'Shown in lists and found by search. Include the unit, such as “Volume (µl)”.',
    add: 'Add',
    sending: (sent: string, total: string) => `${sent} of ${total} sent`,
    storing: 'Sent; the data manager is storing it…',
    stored: (subject: string) => `Stored with ${subject}.`,
    noManager: 'No data manager is configured.',
    problems: {
      noFile: 'Choose a file.',
      noPhoto: 'Choose a photo.',
      emptyFile: (name: string) => `${name} is empty.`,
      tooLarge: (name: string, size: string, limit: string) =>
        `${name} has ${size}; at most ${limit} can be added here.`,
      noName: 'Enter a name.',
      noSubject: 'Choose the experiment or workflow that it belongs to.',
    },
  },
  note: {
    title: 'Add note',
    verb: 'Add note',
    commandText: (about: string) => `Add note about ${about}`,
    lab: 'the lab',
    text: 'Note',
    textHint: 'What happened or was done. Everybody who reads the log of the lab sees it.',
    limit: (count: number, limit: number) => `${formatNumber(count)} of ${formatNumber(limit)} characters`,
    add: 'Add',
    stored: 'Recorded in the event log.',
    noManager: 'No event manager is configured.',
    problems: {
      noText: 'Write the note.',
      tooLong: (limit: number) => `A note has at most ${formatNumber(limit)} characters.`,
    },
  },
} as const;
