/** The worker's part of the timeline: its cache and its responses. */
import { getAge } from '#api/client/responseMetadata.ts';
import { getInvalidRecords } from '#api/client/invalidRecords.ts';
import type { Workflow } from '#api/managers/workflow.ts';
import { serveReads, type WorkerSelf } from '#dashboard/managers/transport/worker/serveReads.ts';
import type { ReadTarget } from '#dashboard/managers/transport/worker/workerMessages.ts';
import { listBuffers } from '../layer/buildLayer.ts';
import { createTextTable } from '../layer/layer.ts';
import { KnownWorkflows } from './knownWorkflows.ts';
import type { TimelineResponse, TimelineRequest } from './messages.ts';

type ReadArchive = (target: ReadTarget, count: number, signal: AbortSignal) => Promise<readonly Workflow[]>;

/** Responds with a layer when something changed; the layer's columns are transferred, not copied. */
export function serveTimeline(self: WorkerSelf, readArchive: ReadArchive): void {
  const workflows = new KnownWorkflows();
  const texts = createTextTable();
  serveReads<TimelineRequest, never, never, TimelineResponse>(self, async (target, request, signal) => {
    const { archive, current, clock, nodes } = request;
    const archived = archive === null ? [] : await readArchive(target, archive.count, signal);
    workflows.setClock(clock);
    workflows.setNodes(nodes);
    if (archive !== null) workflows.addArchive(archived, archive.count, archive.part);
    if (current !== null) workflows.addCurrent(current.ids, current.changed);
    const layer = workflows.buildLayer(texts);
    return {
      items: [],
      toRow: (none) => none,
      invalid: getInvalidRecords(archived),
      ageMs: getAge(archived),
      extra: { layer, texts: texts.consumeAdded(), scope: workflows.scope },
      transfer: layer === null ? [] : listBuffers(layer),
    };
  });
}
