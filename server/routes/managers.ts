/** `GET /managers`: what the relay offers to the caller. */
import type { RequestHandler } from 'express';
import type { RelayAnswer } from '../../api/lab/relay.ts';
import { contextKey, managerKeys } from '../../api/managers.ts';
import type { CallerOf } from '../access/access.ts';
import type { LabSettings } from '../settings/schema/types.ts';

export function managersHandler(
  settings: () => Pick<LabSettings, 'context' | 'remoteAccess'>,
  callerOf: CallerOf,
): RequestHandler {
  return (request, response) => {
    const { context, remoteAccess } = settings();
    const body: RelayAnswer = {
      remote_access: remoteAccess,
      role: callerOf(request)?.role ?? null,
      managers: managerKeys.filter((key) => context[contextKey(key)] !== null),
    };
    response.json(body);
  };
}
