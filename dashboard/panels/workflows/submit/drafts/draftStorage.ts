/** Drafts and templates in the browser's storage. Unreadable entries are never deleted. */
import { readUtf8 } from '#dashboard/components/csv/encoding.ts';
import { schemaFormTexts } from '#dashboard/components/form/texts.ts';
import { saveText } from '#dashboard/components/page/saveFile.ts';
import { formatFileSize } from '#dashboard/components/form/numberText.ts';

/** The used part of `localStorage`. */
export type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

const draftKey = 'lab-manager.workflow-draft';
const templatePrefix = 'lab-manager.workflow-template.';
/** In characters; browsers store about five million in total. */
export const maxTemplateLength = 256 * 1024;

interface Draft {
  readonly text: string;
  /** The form's input in the format of `packEntries`. */
  readonly entries: unknown;
  /** Ownership, if the draft came from another workflow. */
  readonly ownership: unknown;
  /** ms since the epoch. */
  readonly savedAt: number;
}

/** Returns the browser's storage; `null` if unavailable. */
export function browserStore(): Store | null {
  try {
    const probe = `${draftKey}.probe`;
    localStorage.setItem(probe, '1');
    localStorage.removeItem(probe);
    return localStorage;
  } catch {
    // Disabled, or blocked for this page.
    return null;
  }
}

function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : null;
  } catch {
    return null;
  }
}

/** Returns whether the entry was stored. */
function writeEntry(store: Store | null, key: string, value: unknown): boolean {
  if (store === null) return false;
  try {
    store.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    // The browser's quota is exceeded.
    return false;
  }
}

export function readDraft(store: Store | null): Draft | null {
  const text = store?.getItem(draftKey) ?? null;
  if (text === null) return null;
  const draft = parseObject(text);
  // An unreadable draft may still be valuable, so its raw text is shown.
  if (draft === null || typeof draft['text'] !== 'string') return { text, entries: {}, ownership: null, savedAt: 0 };
  return {
    text: draft['text'],
    entries: draft['entries'] ?? {},
    ownership: draft['ownership'] ?? null,
    savedAt: typeof draft['savedAt'] === 'number' ? draft['savedAt'] : 0,
  };
}

export function writeDraft(store: Store | null, draft: Draft): boolean {
  return writeEntry(store, draftKey, draft);
}

export function deleteDraft(store: Store | null): void {
  store?.removeItem(draftKey);
}

/** A submission with unknown result. */
interface LostSubmission {
  /** The name of the workflow. */
  readonly name: string;
  /** When it was sent, ms since the epoch. */
  readonly at: number;
  /** Description of the failure. */
  readonly text: string;
}
const lostKey = 'lab-manager.workflow-lost';
/** After this time in ms an accidental second submission is unlikely. */
const lostSubmissionMs = 24 * 3_600_000;
/** Maximum length of a manager's text, in characters. */
const maxTextLength = 2000;

export function writeLost(store: Store | null, lost: LostSubmission): void {
  const { text, ...rest } = lost;
  writeEntry(store, lostKey, { ...rest, words: text.slice(0, maxTextLength) });
}

export function deleteLost(store: Store | null): void {
  store?.removeItem(lostKey);
}

/** @param now ms since the epoch */
export function readLost(store: Store | null, now: number): LostSubmission | null {
  const lost = parseObject(store?.getItem(lostKey) ?? '');
  const { name, at, words: text } = lost ?? {};
  if (typeof name !== 'string' || typeof at !== 'number' || typeof text !== 'string') return null;
  return Math.abs(now - at) < lostSubmissionMs ? { name, at, text } : null;
}

export interface Template {
  readonly name: string;
  readonly text: string;
  /** ms since the epoch; 0 if unknown. */
  readonly savedAt: number;
  /** True if the stored entry is not a template; `text` is the raw entry. */
  readonly isCorrupt: boolean;
}

/** Returns all templates, by name. */
export function readTemplates(store: Store | null): Template[] {
  if (store === null) return [];
  const keys = Array.from({ length: store.length }, (_, index) => store.key(index)).filter(
    (key): key is string => key?.startsWith(templatePrefix) ?? false,
  );
  const templates = keys.map((key): Template => {
    const text = store.getItem(key) ?? '';
    const value = parseObject(text);
    const name = key.slice(templatePrefix.length);
    if (value === null || typeof value['text'] !== 'string') return { name, text, savedAt: 0, isCorrupt: true };
    return {
      name,
      text: value['text'],
      savedAt: typeof value['savedAt'] === 'number' ? value['savedAt'] : 0,
      isCorrupt: false,
    };
  });
  return templates.toSorted((a, b) => a.name.localeCompare(b.name));
}

type StoreResult =
  | { readonly result: 'stored' }
  | { readonly result: 'exists' }
  | { readonly result: 'refused'; readonly reason: string };

/** Stores a template; replaces one of the same name only with `overwrite`. */
export function storeTemplate(
  store: Store | null,
  template: { readonly name: string; readonly text: string; readonly savedAt: number },
  overwrite: boolean,
): StoreResult {
  const name = template.name.trim();
  if (name === '') return { result: 'refused', reason: 'Enter a name.' };
  if (store === null)
    return { result: 'refused', reason: 'This browser stores nothing, so templates can only be saved as files.' };
  if (template.text.length > maxTemplateLength)
    return { result: 'refused', reason: 'It is larger than a template may be (256 kB). Save it as a file instead.' };
  const key = templatePrefix + name;
  if (!overwrite && store.getItem(key) !== null) return { result: 'exists' };
  const { text, savedAt } = template;
  return writeEntry(store, key, { text, savedAt })
    ? { result: 'stored' }
    : {
        result: 'refused',
        reason: 'This browser has no space left for it. Save it as a file, or delete other templates.',
      };
}

export function deleteTemplate(store: Store | null, name: string): void {
  store?.removeItem(templatePrefix + name);
}

/** Returns a file name: letters, digits and characters that file systems allow. */
export function toFileName(name: string): string {
  const fileNameText = name
    .trim()
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '');
  return `${fileNameText === '' ? 'workflow' : fileNameText.slice(0, 80)}.yaml`;
}

/** The maximum size in bytes: ten times a definition of a thousand steps. */
const maxBytes = 1_000_000;

type FileResult = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: string };

/** Reads a definition from a file; returns a reason if it is not one. */
export async function readDefinitionFile(file: File): Promise<FileResult> {
  if (file.size > maxBytes)
    return { ok: false, reason: `it is larger than a definition can be (${formatFileSize(maxBytes)}).` };
  try {
    const text = await readUtf8(file);
    // Line ends of Windows would shift every position by one.
    return text === null
      ? { ok: false, reason: schemaFormTexts.notText }
      : { ok: true, text: text.replaceAll('\r\n', '\n') };
  } catch (error) {
    return { ok: false, reason: String(error) };
  }
}

export function saveDefinition(name: string, text: string): void {
  saveText(toFileName(name), text, 'application/yaml');
}
