/** Sends an operation on a resource once and reports the result. */
import { useQueryClient } from '@tanstack/vue-query';
import type { Client } from '#api/client/client.ts';
import { resourceApi } from '#api/managers/resource.ts';
import { resourcePage } from '#dashboard/base/objectPages.ts';
import { useManagerCommand, type CommandRequest } from '#dashboard/managers/commands/useCommand.ts';
import { getAmount } from '#dashboard/managers/resource/amount.ts';
import type { ResourceRow } from '#dashboard/managers/resource/resourceRow.ts';
import { readPresentResource } from '#dashboard/managers/resource/resourcePremise.ts';
import { useConfirmedResources } from '#dashboard/managers/resource/confirmedResources.ts';
import { useResources } from '#dashboard/managers/resource/useResources.ts';
import { invalidateManagerQueries } from '#dashboard/managers/transport/poll/queryKey.ts';
import { formatAmountWithCapacity } from '../columns.ts';
import { resourcesTexts } from '../texts.ts';

export type ResourceCommands = Client<typeof resourceApi>;
const texts = resourcesTexts.operations;

export interface OperationRequest<Body, State> extends Pick<
  CommandRequest<Body, State>,
  'verb' | 'premise' | 'interpretResponse' | 'inputText' | 'reconfirm' | 'isCurrent'
> {
  /** Without an ID for a resource that the operation creates. */
  readonly row: Pick<ResourceRow, 'id' | 'name'>;
  readonly run: (client: ResourceCommands) => Promise<Body>;
}

export interface ResourceOperations {
  /** Resolves with `null`, and has reported the reason, if the operation failed, wasn't sent, or is unconfirmed. */
  readonly operate: <Body, State>(request: OperationRequest<Body, State>) => Promise<Body | null>;
  /** Returns the client for commands. @throws Error if the manager has no address anymore */
  readonly client: () => ResourceCommands;
  /** Returns the client for reading premises, which fails fast. @throws as `client` */
  readonly reader: () => ResourceCommands;
}

export function useResourceOperations(): ResourceOperations {
  const { act, connection } = useManagerCommand(resourceApi);
  const { index } = useResources();
  const queries = useQueryClient();
  const confirmed = useConfirmedResources();
  const client = (): ResourceCommands => confirmed.watchResponses(connection().commands, connection().address);
  const reader = (): ResourceCommands => confirmed.watchResponses(connection().queries, connection().address);
  return {
    client,
    reader,
    operate: ({ row, run, ...command }) =>
      act({
        ...command,
        // A full read can also begin while a confirmation is open.
        premise: { ...command.premise, ready: confirmed.fullReadEnded },
        // The responses have updated the resources already; only what they don't contain is read again.
        refresh: async (outcome) => {
          confirmed.publish();
          const others = invalidateManagerQueries(
            queries,
            ['manager', 'resource'],
            ({ queryKey }) => queryKey[3] !== 'queryResources',
          );
          if (outcome === 'uncertain' && row.id !== '' && index.value.byId.has(row.id))
            await readPresentResource(reader(), row).catch(() => undefined);
          await others;
        },
        commandText: texts.title(command.verb, row.name),
        verb: command.verb.replace(/…$/, ''),
        target: { kind: 'resource', id: row.id, name: row.name },
        // A new resource has no page yet.
        ...(row.id === '' ? {} : { to: resourcePage(row.id) }),
        run: () => run(client()),
        describeState: () => {
          const current = index.value.byId.get(row.id);
          return texts.state(row.name, current === undefined ? '' : formatAmountWithCapacity(getAmount(current)));
        },
      }),
  };
}
