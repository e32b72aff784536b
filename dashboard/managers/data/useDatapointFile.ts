/** Reads the bytes of a datapoint when they are wanted, and hands them to the browser as a file. */
import { onScopeDispose, ref } from 'vue';
import { dataApi } from '../../../api/managers/data.ts';
import { dataTexts as texts } from './texts.ts';
import { useConnection } from '../transport/clients.ts';
import { saveBlob } from '../../components/page/saveFile.ts';

export function useDatapointFile(id: () => string, name: () => string) {
  const connection = useConnection(dataApi);
  const busy = ref(false);
  /** Why it could not be had, in a sentence. */
  const failure = ref('');
  const controller = new AbortController();
  onScopeDispose(() => controller.abort());

  async function read(): Promise<Blob | null> {
    const client = connection.value?.commands;
    if (client === undefined || busy.value) return null;
    busy.value = true;
    failure.value = '';
    try {
      return await client.getDatapointValue({ datapoint_id: id() }, { signal: controller.signal });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (!controller.signal.aborted) failure.value = texts.downloadFailed(name(), reason);
      return null;
    } finally {
      busy.value = false;
    }
  }
  async function download(): Promise<void> {
    const blob = await read();
    if (blob !== null) saveBlob(name(), blob);
  }
  return { busy, failure, read, download };
}
