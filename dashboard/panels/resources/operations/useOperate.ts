/** Does one operation on a resource, once, and says what came of it. */
import type { Client } from '../../../../api/client/client.ts';
import type { resourceApi } from '../../../../api/managers/resource.ts';
import { resourcePage } from '../../../base/objectPages.ts';
import { useCommand, type CommandResult } from '../../../managers/commands/useCommand.ts';
import { amountOf } from '../../../managers/resource/amount.ts';
import type { ResourceRow } from '../../../managers/resource/resourceRow.ts';
import { useResourceManager } from '../../../managers/resource/useResourceManager.ts';
import { useResources } from '../../../managers/resource/useResources.ts';
import { amountWords } from '../columns.ts';
import { resourcesTexts } from '../texts.ts';

export type ResourceCommands = Client<typeof resourceApi>;
const texts = resourcesTexts.operations;

export interface Operating {
  /** `null` when it failed or nobody knows; it was said then. */
  readonly operate: <Answer>(
    verb: string,
    row: Pick<ResourceRow, 'id' | 'name'>,
    run: (client: ResourceCommands) => Promise<Answer>,
    said?: (answer: Answer) => CommandResult | string,
  ) => Promise<Answer | null>;
  /** @throws Error where the manager has no address any more */
  readonly client: () => ResourceCommands;
}

export function useOperate(): Operating {
  const manager = useResourceManager();
  const { index } = useResources();
  const act = useCommand();
  const client = (): ResourceCommands => {
    if (manager.value === null) throw new Error(resourcesTexts.noAddress);
    return manager.value.commands;
  };
  return {
    client,
    operate: (verb, row, run, said) =>
      act({
        what: texts.what(verb, row.name),
        // What is being added has no page yet.
        ...(row.id === '' ? {} : { to: resourcePage(row.id) }),
        manager: 'resource',
        run: () => run(client()),
        said: said ?? (() => texts.done),
        afterwards: () => {
          const now = index.value.byId.get(row.id);
          return texts.state(row.name, now === undefined ? '' : amountWords(amountOf(now)));
        },
      }),
  };
}
