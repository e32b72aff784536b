/** A datapoint that a person adds, from the fields of the dialog to the request. Pure. */
import type { NewDatapoint } from '../../../api/managers/data.ts';
import type { OwnershipInfo } from '../../../api/client/wire.ts';
import { fileSize } from '../../components/form/numberText.ts';
import { recordsTexts } from './texts.ts';

const texts = recordsTexts.data.problems;

/** A data manager takes a file into memory as a whole. In bytes. */
export const maxFileBytes = 100_000_000;

type DatapointContent =
  { readonly is: 'file'; readonly file: File } | { readonly is: 'value'; readonly value: unknown };

interface DatapointRequest {
  readonly body: { readonly datapoint: NewDatapoint };
  readonly files?: Readonly<Record<string, File>>;
}

/** Why a file can't be stored; `null` where it can. */
export function fileProblem(file: File | null, kind: 'photo' | 'file'): string | null {
  if (file === null) return kind === 'photo' ? texts.noPhoto : texts.noFile;
  if (file.size === 0) return texts.emptyFile(file.name);
  return file.size > maxFileBytes ? texts.tooLarge(file.name, fileSize(file.size), fileSize(maxFileBytes)) : null;
}

const extensionOf = (name: string): string => /\.[^.\s]+$/.exec(name)?.[0] ?? '';

/** An object store names a file by its label, and the data manager derives the type from that name: it keeps its extension. */
export function labelOf(name: string, content: DatapointContent): string {
  const label = name.trim();
  if (content.is === 'value') return label;
  const extension = extensionOf(content.file.name);
  return label.toLowerCase().endsWith(extension.toLowerCase()) ? label : label + extension;
}

/** @param id of the datapoint: a request that is sent again stores nothing twice */
export function datapointRequest(
  { id, stamp }: { readonly id: string; readonly stamp: string | null },
  name: string,
  owner: OwnershipInfo,
  content: DatapointContent,
): DatapointRequest {
  const common = {
    _id: id,
    label: labelOf(name, content),
    ownership_info: owner,
    ...(stamp !== null && { data_timestamp: stamp }),
  };
  if (content.is === 'value') return { body: { datapoint: { ...common, data_type: 'json', value: content.value } } };
  const { file } = content;
  return {
    body: { datapoint: { ...common, data_type: 'file', path: file.name } },
    files: { [file.name]: file },
  };
}

/** A slow network of a lab still sends this much, in bytes per second. */
const minRate = 50_000;

/** How long a request of this size may take, in ms. */
export function uploadDeadlineMs(bytes: number): number {
  return Math.max(300_000, (bytes / minRate) * 1000);
}
