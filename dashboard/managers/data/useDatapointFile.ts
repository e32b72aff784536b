/** Reads the bytes of a datapoint on demand and saves them as a file through the browser. */
import { computed, onScopeDispose, ref } from 'vue';
import { errorText } from '#api/errorText.ts';
import { dataApi } from '#api/managers/data.ts';
import { formatFileSize } from '../../components/form/numberText.ts';
import { saveBlob } from '../../components/page/saveFile.ts';
import { useConnection } from '../transport/clients.ts';
import { receiveBytes, type ReceivedContent, type ReceiveOptions } from './receiveBytes.ts';
import { dataTexts as texts } from './texts.ts';

/**
 * The largest file that the page itself loads, in bytes; the browser downloads larger ones directly from the data
 * manager.
 */
export const maxSavedBytes = 512_000_000;

/** The maximum size of a displayed or plotted table, in bytes. */
export const maxTableBytes = 2_000_000;

interface Progress {
  /** In bytes. */
  readonly receivedBytes: number;
  /** `null` if the manager doesn't report it. */
  readonly size: number | null;
}

export function useDatapointFile(id: () => string, name: () => string) {
  const connection = useConnection(dataApi);
  const progress = ref<Progress | null>(null);
  /** The reason why the file could not be read, in a sentence. */
  const failure = ref('');
  let controller = new AbortController();
  onScopeDispose(() => controller.abort());

  /** Returns `null` if reading failed, was cancelled, or could not begin. */
  async function readBytes(options: ReceiveOptions): Promise<ReceivedContent | null> {
    const client = connection.value?.commands;
    if (client === undefined || progress.value !== null) return null;
    controller = new AbortController();
    const { signal } = controller;
    progress.value = { receivedBytes: 0, size: null };
    failure.value = '';
    let content: ReceivedContent | null = null;
    try {
      await client.getDatapointValue(
        { datapoint_id: id() },
        {
          signal,
          receive: async (response) => {
            const onProgress = (receivedBytes: number, size: number | null) =>
              (progress.value = { receivedBytes, size });
            content = await receiveBytes(response, { ...options, onProgress });
            return content.blob;
          },
        },
      );
      return content;
    } catch (error) {
      const reason = errorText(error);
      if (!signal.aborted) failure.value = texts.downloadFailed(name(), reason);
      return null;
    } finally {
      progress.value = null;
    }
  }

  async function download(): Promise<void> {
    const received = await readBytes({ maxBytes: maxSavedBytes });
    if (received?.isComplete) saveBlob(name(), received.blob);
    else if (received !== null) failure.value = texts.tooLarge(name(), formatFileSize(maxSavedBytes));
  }
  return {
    busy: computed(() => progress.value !== null),
    progress,
    failure,
    read: readBytes,
    download,
    cancel: () => controller.abort(),
    /** The file's own address for the browser; `null` while the manager's address isn't known. */
    address: computed(() =>
      connection.value === null
        ? null
        : `${connection.value.address.replace(/\/+$/, '')}/datapoint/${encodeURIComponent(id())}/value`,
    ),
  };
}
