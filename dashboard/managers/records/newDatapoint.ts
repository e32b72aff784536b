/** Creates the request for a user's datapoint from the fields of the dialog. */
import type { NewDatapoint } from '#api/managers/data.ts';
import type { OwnershipInfo } from '#api/client/wire.ts';
import { formatFileSize } from '../../components/form/numberText.ts';
import { recordsTexts } from './texts.ts';

const texts = recordsTexts.data.problems;

/** The maximum file size in bytes, because a data manager reads a whole file into memory. */
export const maxFileBytes = 100_000_000;

type DatapointContent =
  { readonly kind: 'file'; readonly file: File } | { readonly kind: 'value'; readonly value: unknown };

interface DatapointRequest {
  readonly body: { readonly datapoint: NewDatapoint };
  readonly files?: Readonly<Record<string, File>>;
}

/** The reason why a file can't be stored; `null` if it can. */
export function findFileProblem(file: File | null, kind: 'photo' | 'file'): string | null {
  if (file === null) return kind === 'photo' ? texts.noPhoto : texts.noFile;
  if (file.size === 0) return texts.emptyFile(file.name);
  return file.size > maxFileBytes
    ? texts.tooLarge(file.name, formatFileSize(file.size), formatFileSize(maxFileBytes))
    : null;
}

const getExtension = (name: string): string => /\.[^.\s]+$/.exec(name)?.[0] ?? '';

/**
 * Returns the label with the file's extension: an object store names a file by its label, and the data manager derives
 * the type from that name.
 */
export function labelWithExtension(name: string, content: DatapointContent): string {
  const label = name.trim();
  if (content.kind === 'value') return label;
  const extension = getExtension(content.file.name);
  return label.toLowerCase().endsWith(extension.toLowerCase()) ? label : label + extension;
}

/** @param id ID of the datapoint: a repeated request stores it only once */
export function createDatapointRequest(
  { id, stamp }: { readonly id: string; readonly stamp: string | null },
  name: string,
  owner: OwnershipInfo,
  content: DatapointContent,
): DatapointRequest {
  const common = {
    _id: id,
    label: labelWithExtension(name, content),
    ownership_info: owner,
    ...(stamp !== null && { data_timestamp: stamp }),
  };
  if (content.kind === 'value') return { body: { datapoint: { ...common, data_type: 'json', value: content.value } } };
  const { file } = content;
  return {
    body: { datapoint: { ...common, data_type: 'file', path: file.name } },
    files: { [file.name]: file },
  };
}

/** The minimum throughput of a slow lab network, in bytes per second. */
const minBytesPerSecond = 50_000;

/** Returns the timeout of a request of this size, in ms. */
export function uploadDeadlineMs(bytes: number): number {
  return Math.max(300_000, (bytes / minBytesPerSecond) * 1000);
}
