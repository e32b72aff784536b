/** `GET /managers`: what the relay offers to the caller. */
import { hostname } from 'node:os';
import type { RequestHandler } from 'express';
import type { RelayResponse } from '../../api/lab/relay.ts';
import { contextKey, managerKeys } from '../../api/managers.ts';
import type { IdentifySender } from '../access/sender.ts';
import { refuseStop, type StopSettings } from '../relay/stopRight.ts';
import type { LabSettings } from '../settings/schema/types.ts';

/** @param nodeNames the names of all known nodes */
export function managersHandler(
  settings: () => StopSettings & Pick<LabSettings, 'context'>,
  identifySender: IdentifySender,
  nodeNames: () => readonly string[],
): RequestHandler {
  return (request, response) => {
    const current = settings();
    const sender = identifySender(request);
    const refusal = refuseStop(current, { ...sender, host: request.headers.host, machine: hostname() });
    const body: RelayResponse = {
      remote_access: current.remoteAccess,
      role: sender.caller?.role ?? null,
      managers: managerKeys.filter((key) => current.context[contextKey(key)] !== null),
      stop: { refusal: refusal?.detail ?? null, nodes: refusal === null ? [...nodeNames()] : [] },
    };
    response.json(body);
  };
}
