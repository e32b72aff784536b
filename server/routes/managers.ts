/** `GET /managers`: what the relay offers to the caller. */
import type { RequestHandler } from 'express';
import type { RelayResponse } from '../../api/lab/relay.ts';
import { contextKey, managerKeys } from '../../api/managers.ts';
import type { IdentifySender } from '../access/sender.ts';
import type { LabSettings } from '../settings/schema/types.ts';

export function managersHandler(
  settings: { readonly value: Pick<LabSettings, 'context' | 'remoteAccess'> },
  identifySender: IdentifySender,
): RequestHandler {
  return (request, response) => {
    const { context, remoteAccess } = settings.value;
    const body: RelayResponse = {
      remote_access: remoteAccess,
      role: identifySender(request).caller?.role ?? null,
      managers: managerKeys.filter((key) => context[contextKey(key)] !== null),
    };
    response.json(body);
  };
}
