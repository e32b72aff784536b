/** The lab as this page needs it, over the managers' clients. */
import { computed } from 'vue';
import { dataApi } from '../../../../api/managers/data.ts';
import { locationApi } from '../../../../api/managers/location.ts';
import { ManagerError } from '../../../../api/client/managerError.ts';
import { workcellApi, type WorkcellState } from '../../../../api/managers/workcell.ts';
import { submitTexts } from './texts.ts';
import { useConnection } from '../../../managers/transport/clients.ts';
import { submitWorkflow } from '../../../managers/commands/submission.ts';
import { nothingKnown, type Answering, type LabKnowledge, type SubmitLab } from '../definition/labKnowledge.ts';

const answers: Answering = { answers: true, reason: '' };
const absent: Answering = { answers: false, reason: submitTexts.noAddress };

async function asked<T>(call: Promise<T> | null): Promise<{ answering: Answering; body: T | null }> {
  if (call === null) return { answering: absent, body: null };
  try {
    return { answering: answers, body: await call };
  } catch (error) {
    const reason = error instanceof ManagerError ? error.reason : String(error);
    return { answering: { answers: false, reason }, body: null };
  }
}

/** Why the engine starts nothing: it is in an error state until the manager restarts. */
function stuckOf(state: WorkcellState | null): string | null {
  if (state === null || !state.status.errored) return null;
  return state.status.errors?.at(-1)?.message ?? '';
}

/** Must be called in a component's setup. */
export function useSubmitLab(): SubmitLab {
  const workcell = useConnection(workcellApi);
  const location = useConnection(locationApi);
  const data = useConnection(dataApi);
  const acts = () => {
    if (workcell.value !== null) return workcell.value.commands;
    throw new Error(submitTexts.noAddress);
  };
  return {
    available: computed(() => workcell.value !== null),
    async knowledge(signal): Promise<LabKnowledge> {
      const [state, places, store] = await Promise.all([
        asked(workcell.value?.queries.getState({}, { signal }) ?? null),
        asked(location.value?.queries.getLocations({}, { signal }) ?? null),
        asked(data.value?.queries.health({}, { signal }) ?? null),
      ]);
      const nodes = Object.entries(state.body?.nodes ?? {});
      return {
        ...nothingKnown,
        nodes: Object.fromEntries(nodes.map(([name, { info }]) => [name, info])),
        statuses: Object.fromEntries(nodes.map(([name, { status }]) => [name, status])),
        locations: (places.body ?? []).map(({ location_name: name, representations }) => ({
          name,
          representations: Object.keys(representations ?? {}),
        })),
        workcell: state.answering,
        location: places.answering,
        data: store.answering,
        stuck: stuckOf(state.body),
      };
    },
    submit: async (definition, { values, files, ownership }, signal) =>
      submitWorkflow(acts(), definition, { values, files, ownership: ownership ?? {} }, { signal }),
    workflow: async (id, signal) => acts().getWorkflow({ workflow_id: id }, { signal }),
  };
}
