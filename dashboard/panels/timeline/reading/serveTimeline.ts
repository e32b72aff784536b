/** The worker's part of the timeline: its cache and its answers. */
import { getAge } from '../../../../api/client/answerAge.ts';
import { getInvalidRecords } from '../../../../api/client/invalidRecords.ts';
import type { Workflow } from '../../../../api/managers/workflow.ts';
import { serveReads, type WorkerSelf } from '../../../managers/transport/worker/serveReads.ts';
import type { ReadTarget } from '../../../managers/transport/worker/workerMessages.ts';
import { buffersOf } from '../layer/buildLayer.ts';
import { createTextTable } from '../layer/layer.ts';
import { KnownWorkflows } from './knownWorkflows.ts';
import type { TimelineAnswer, TimelineQuestion } from './messages.ts';

type ReadArchive = (target: ReadTarget, count: number, signal: AbortSignal) => Promise<readonly Workflow[]>;

/** Answers with a layer when something changed; the layer's columns are transferred, not copied. */
export function serveTimeline(self: WorkerSelf, readArchive: ReadArchive): void {
  const known = new KnownWorkflows();
  const texts = createTextTable();
  serveReads<TimelineQuestion, never, never, TimelineAnswer>(self, async (target, question, signal) => {
    const { archive, current, clock, nodes } = question;
    const read = archive === null ? [] : await readArchive(target, archive.count, signal);
    known.setClock(clock);
    known.setNodes(nodes);
    if (archive !== null) known.addArchive(read, archive.count, archive.part);
    if (current !== null) known.addCurrent(current.ids, current.changed);
    const layer = known.buildLayer(texts);
    return {
      items: [],
      rowOf: (none) => none,
      invalid: getInvalidRecords(read),
      ageMs: getAge(read),
      rest: { layer, texts: texts.consumeAdded(), scope: known.scope },
      transfer: layer === null ? [] : buffersOf(layer),
    };
  });
}
