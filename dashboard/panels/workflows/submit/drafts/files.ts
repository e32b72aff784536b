/** Definitions from files and into files. */
import { submitTexts } from '../texts.ts';
import { saveText } from '../../../../components/page/saveFile.ts';
import { fileSize } from '../../../../components/form/numberText.ts';
import { fileName } from './draftStorage.ts';

/** Bytes; a definition of a thousand steps has a tenth of it. */
const most = 1_000_000;

type ReadFile = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: string };

export async function readDefinitionFile(file: File): Promise<ReadFile> {
  if (file.size > most) return { ok: false, reason: submitTexts.tooLarge(fileSize(most)) };
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
    // Line ends of Windows would shift every place by one.
    return text.includes('\0')
      ? { ok: false, reason: submitTexts.notText }
      : { ok: true, text: text.replaceAll('\r\n', '\n') };
  } catch (error) {
    const reason = error instanceof TypeError ? submitTexts.notText : String(error);
    return { ok: false, reason };
  }
}

export function saveDefinition(name: string, text: string): void {
  saveText(fileName(name), text, 'application/yaml');
}
