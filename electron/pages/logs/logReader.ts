/** The lines of the Logs page: loads the newest lines first, older ones on demand, and new ones as they are written. */
import { onMounted, onUnmounted, reactive, ref, shallowRef, watch, type Ref, type ShallowRef } from 'vue';
import { errorText } from '#api/errorText.ts';
import { logBatch, type LogBatch, type LogEntry, type LogFilter } from '../../ipc/logs.ts';
import { sendCommand } from '../host/requests.ts';

/** The polling interval for new lines, in milliseconds. */
const checkIntervalMs = 700;
/** The delay after the last keystroke before a filter applies, in milliseconds. */
const typingMs = 250;
/** The number of lines to load before any scrolling. */
const initialLines = 200;
/** The maximum number of lines in the page; the oldest are dropped. */
const maxLines = 20_000;

interface LogReader {
  readonly filter: LogFilter;
  /** Lines that pass the filter, the oldest first. */
  readonly entries: ShallowRef<readonly LogEntry[]>;
  /** True if there are no older lines. */
  readonly hasStart: Ref<boolean>;
  /** True after older lines were dropped because of the maximum number. */
  readonly isTrimmed: Ref<boolean>;
  readonly isReading: Ref<boolean>;
  readonly failure: Ref<string | null>;
  /** The unreadable log with the reason, while the other one is shown; empty when both are readable. */
  readonly missing: Ref<string>;
  /** Bytes skipped since the last full read. */
  readonly skippedBytes: Ref<number>;
  readonly isFollowing: Ref<boolean>;
  start(): Promise<void>;
  /** @returns the number of lines added before the existing ones */
  older(): Promise<number>;
}

/** Reads batches of lines; a failure is shown until the next one is read. */
function useBatches() {
  const failure = ref<string | null>(null);
  const missing = ref('');
  async function requestLogs(request: Parameters<typeof sendCommand>[0]): Promise<LogBatch | null> {
    try {
      const batch = logBatch.parse(await sendCommand(request));
      failure.value = null;
      missing.value = batch.failure ?? '';
      return batch;
    } catch (error) {
      failure.value = errorText(error);
      return null;
    }
  }
  return { failure, missing, requestLogs };
}

/** Starts immediately and after a filter change, and polls for new lines while the page is mounted. */
function usePolling(filter: LogFilter, start: () => Promise<void>, check: () => Promise<void>): void {
  let typingTimer = 0;
  watch(filter, () => {
    window.clearTimeout(typingTimer);
    typingTimer = window.setTimeout(() => void start(), typingMs);
  });
  let timer = 0;
  onMounted(() => {
    void start();
    timer = window.setInterval(() => void check(), checkIntervalMs);
  });
  onUnmounted(() => {
    window.clearTimeout(typingTimer);
    window.clearInterval(timer);
  });
}

export function useLogReader(): LogReader {
  const filter = reactive<LogFilter>({ level: 'debug', source: null, text: '' });
  const entries = shallowRef<readonly LogEntry[]>([]);
  const hasStart = ref(false);
  const isTrimmed = ref(false);
  const isReading = ref(false);
  const { failure, missing, requestLogs } = useBatches();
  const skippedBytes = ref(0);
  const isFollowing = ref(true);
  /** Counts the starts: the response to an earlier one is ignored. */
  let startNumber = 0;
  let isChecking = false;
  /** True while no lines of the current filter are loaded: the next poll starts again. */
  let needsStart = true;

  async function start(): Promise<void> {
    const thisStart = ++startNumber;
    const isCurrent = () => thisStart === startNumber && failure.value === null;
    isReading.value = true;
    const batch = await requestLogs({ command: 'log-start', filter: { ...filter } });
    if (thisStart !== startNumber) return;
    needsStart = batch === null;
    isTrimmed.value = false;
    skippedBytes.value = 0;
    isReading.value = false;
    hasStart.value = batch?.isStart ?? false;
    entries.value = batch?.entries ?? [];
    while (isCurrent() && !hasStart.value && entries.value.length < initialLines) await older();
  }

  async function older(): Promise<number> {
    if (isReading.value || hasStart.value || isTrimmed.value || entries.value.length >= maxLines) return 0;
    const thisStart = startNumber;
    isReading.value = true;
    const batch = await requestLogs({ command: 'log-older' });
    if (thisStart !== startNumber) return 0;
    isReading.value = false;
    if (batch === null) return 0;
    hasStart.value = batch.isStart;
    entries.value = [...batch.entries, ...entries.value];
    return batch.entries.length;
  }

  async function check(): Promise<void> {
    if (isReading.value || isChecking || document.hidden) return;
    if (needsStart) return start();
    if (!isFollowing.value) return;
    const thisStart = startNumber;
    isChecking = true;
    const batch = await requestLogs({ command: 'log-newer' });
    isChecking = false;
    if (thisStart !== startNumber || batch === null) return;
    skippedBytes.value += batch.skippedBytes;
    if (batch.entries.length === 0) return;
    const all = [...entries.value, ...batch.entries];
    if (all.length > maxLines) isTrimmed.value = true;
    entries.value = all.slice(-maxLines);
  }

  usePolling(filter, start, check);
  return { filter, entries, hasStart, isTrimmed, isReading, failure, missing, skippedBytes, isFollowing, start, older };
}
