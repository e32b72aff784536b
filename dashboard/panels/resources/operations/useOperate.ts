/** Does one operation on a resource, once, and says what came of it. */
import type { Client } from '../../../../api/client/client.ts';
import { resourceApi } from '../../../../api/managers/resource.ts';
import { resourcePage } from '../../../base/objectPages.ts';
import type { Premise } from '../../../managers/commands/premise.ts';
import { type CommandResult } from '../../../managers/commands/commandResult.ts';
import { useCommand, type OwnReask } from '../../../managers/commands/useCommand.ts';
import { amountOf } from '../../../managers/resource/amount.ts';
import type { ResourceRow } from '../../../managers/resource/resourceRow.ts';
import { useResources } from '../../../managers/resource/useResources.ts';
import { amountWords } from '../columns.ts';
import { resourcesTexts } from '../texts.ts';
import { createSharedComposable } from '@vueuse/core';
import { useConnection } from '../../../managers/transport/clients.ts';

/** The resource manager's clients. */
const useResourceManager = createSharedComposable(() => useConnection(resourceApi));

export type ResourceCommands = Client<typeof resourceApi>;
const texts = resourcesTexts.operations;

export interface OperationRequest<Answer, State> {
  readonly verb: string;
  /** Without an ID where it only comes to be. */
  readonly row: Pick<ResourceRow, 'id' | 'name'>;
  readonly premise: Premise<State>;
  readonly run: (client: ResourceCommands) => Promise<Answer>;
  readonly said: (answer: Answer, now: State | null) => CommandResult | string;
  readonly sends?: string;
  readonly reask?: OwnReask;
  readonly isWanted?: () => boolean;
}

export interface Operating {
  /** `null` when it failed, wasn't sent, or the outcome is unknown; it was reported then. */
  readonly operate: <Answer, State>(request: OperationRequest<Answer, State>) => Promise<Answer | null>;
  /** For what is sent. @throws Error where the manager has no address any more */
  readonly client: () => ResourceCommands;
  /** For what is read before: fails soon. @throws as `client` */
  readonly reader: () => ResourceCommands;
}

export function useOperate(): Operating {
  const manager = useResourceManager();
  const { index } = useResources();
  const act = useCommand();
  const connection = () => {
    if (manager.value === null) throw new Error(resourcesTexts.noAddress);
    return manager.value;
  };
  const client = (): ResourceCommands => connection().commands;
  return {
    client,
    reader: () => connection().queries,
    operate: ({ verb, row, premise, run, said, sends, reask, isWanted }) =>
      act({
        what: texts.what(verb, row.name),
        verb: verb.replace(/…$/, ''),
        target: { kind: 'resource', id: row.id, name: row.name },
        // What is being added has no page yet.
        ...(row.id === '' ? {} : { to: resourcePage(row.id) }),
        manager: 'resource',
        premise,
        run: () => run(client()),
        said,
        afterwards: () => {
          const now = index.value.byId.get(row.id);
          return texts.state(row.name, now === undefined ? '' : amountWords(amountOf(now)));
        },
        ...(sends === undefined ? {} : { sends }),
        ...(reask === undefined ? {} : { reask }),
        ...(isWanted === undefined ? {} : { isWanted }),
      }),
  };
}
