/** A file that the user selected for an import: its content, or why it can't be read. */
import { ref, shallowRef } from 'vue';
import { errorText } from '#api/errorText.ts';

/**
 * The maximum file size in bytes: far above the size of any lab's list, but small enough that a wrong file doesn't block
 * the page.
 */
export const maxImportBytes = 5 * 1024 * 1024;

export type ImportResult<Content> =
  { readonly ok: true; readonly content: Content } | { readonly ok: false; readonly problem: string };

/**
 * Returns the selected files, the content or the problem of the first one, and `choose`, which selects other files.
 * @param read its exception is reported through `describeError`
 * @param onRead called with the content, unless another file was chosen in the meantime
 */
export function useImportFile<Content>(
  read: (file: File) => Promise<ImportResult<Content>>,
  describeError: (reason: string, fileName: string) => string,
  onRead: (content: Content) => void = () => undefined,
) {
  const files = shallowRef<readonly File[]>([]);
  const content = shallowRef<Content | null>(null);
  const problem = ref('');

  async function choose(selectedFiles: readonly File[]): Promise<void> {
    files.value = selectedFiles;
    content.value = null;
    problem.value = '';
    const [file] = selectedFiles;
    if (file === undefined) return;
    if (file.size > maxImportBytes) {
      problem.value = `${file.name} is larger than 5 MB.`;
      return;
    }
    const result = await read(file).catch((error: unknown) => ({
      ok: false as const,
      problem: describeError(errorText(error), file.name),
    }));
    if (files.value[0] !== file) return;
    if (result.ok) {
      content.value = result.content;
      onRead(result.content);
    } else problem.value = result.problem;
  }
  return { files, content, problem, choose };
}
