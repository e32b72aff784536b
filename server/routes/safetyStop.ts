/** `/safety_stop`: starts, reports, releases and acknowledges the lab's safety stop. */
import { json, Router, type Request, type RequestHandler, type Response } from 'express';
import { hostname } from 'node:os';
import { commandRefusal } from '../../api/lab/followedLab.ts';
import { stopRequest, type StopRequest, type StopResponse } from '../../api/lab/safetyStopApi.ts';
import type { Access } from '../access/access.ts';
import type { IdentifySender } from '../access/sender.ts';
import { loopbackRole } from '../http/callers/loopbackRole.ts';
import { isCrossOrigin } from '../http/callers/sameOrigin.ts';
import { sendError, sendMethodNotAllowed } from '../http/errors.ts';
import { cleanText } from '../logging/text.ts';
import { getCommandSender } from '../relay/relayedCommands.ts';
import type { LabModel } from '../lab/labModel.ts';
import type { SafetyStops } from '../safetyStop/safetyStops.ts';
import {
  hasStopRight,
  refuseAcknowledgement,
  refuseRelease,
  refuseStop,
  type StopCaller,
  type StopRefusal,
} from '../safetyStop/stopAccess.ts';
import type { StopSender } from '../safetyStop/stopStore.ts';
import { withTimeout } from '../concurrency/boundedWait.ts';

const path = '/safety_stop';
const maxBodyBytes = 64 * 1024;
/** How long a response waits until the stop is stored, in ms: meanwhile, the sender sends the stop itself as well. */
const storeTimeoutMs = 3000;

export interface SafetyStopParts {
  readonly identifySender: IdentifySender;
  readonly access: Access;
  readonly lab: LabModel;
  readonly safetyStops: SafetyStops;
}

export function safetyStopRoutes(parts: SafetyStopParts): Router {
  const { lab, safetyStops } = parts;
  const { settings } = lab;
  const identify = (request: Request) => identifyCaller(parts, request);
  const describe = (request: Request): StopResponse => describeStop(parts, identify(request));
  const router = Router({ caseSensitive: true, strict: false });
  router.get(path, (request, response) => void response.json(describe(request)));
  router.post(path, readBody, async (request, response) => {
    const caller = identify(request);
    const machineProblem = commandRefusal(lab.followed.value?.lab);
    const refusal =
      refuseStop(settings.value, caller) ?? (machineProblem === null ? null : { status: 409, detail: machineProblem });
    if (refusal !== null) return refuse(response, refusal);
    const { nodes = [], stop_id: stopId } = readRequest(request);
    const [sender, hasRight] = [findSender(request, caller), hasStopRight(caller)];
    // Without a right of its own, a sender could have a release unlock nodes.
    if (stopId === undefined) safetyStops.press(sender, hasRight, hasRight ? nodes : []);
    else if (hasRight) void safetyStops.addAttempts(nodes, stopId, sender);
    // A restart must continue what is accepted.
    await withTimeout(safetyStops.stored, storeTimeoutMs, () => undefined);
    response.status(200).json(describe(request));
  });
  router.post(`${path}/release`, readBody, (request, response) => {
    const caller = identify(request);
    const refusal = refuseRelease(settings.value, caller);
    if (refusal !== null) return refuse(response, refusal);
    // It waits for the end of running steps, up to ten minutes: its state shows the course.
    void safetyStops.release(findSender(request, caller));
    response.json(describe(request));
  });
  router.post(`${path}/acknowledge`, readBody, (request, response) => {
    const caller = identify(request);
    const refusal = refuseAcknowledgement(caller);
    if (refusal !== null) return refuse(response, refusal);
    safetyStops.acknowledge(findSender(request, caller));
    response.json(describe(request));
  });
  router.all(path, (_request, response) => sendMethodNotAllowed(response, 'GET, HEAD, POST'));
  router.all([`${path}/release`, `${path}/acknowledge`], (_request, response) =>
    sendMethodNotAllowed(response, 'POST'),
  );
  return router;
}

/** The body only describes the sender, so that an invalid one never prevents a stop. */
const readBody: RequestHandler = (request, response, next) => {
  json({ limit: maxBodyBytes })(request, response, () => next());
};

function refuse(response: Response, { status, detail }: StopRefusal): void {
  sendError(response, status, detail);
}

function identifyCaller({ lab, identifySender, access }: SafetyStopParts, request: Request): StopCaller {
  const sender = identifySender(request);
  // With a trusted proxy, requests from loopback may be those of its clients.
  const isOnLoopback = lab.settings.value.trustedProxy.length === 0 && loopbackRole(request) !== null;
  return {
    ...sender,
    isLocal: isOnLoopback || access.isOwnApp(request),
    isCrossOrigin: isCrossOrigin(request.headers),
    forgery: access.tokenProblem(request),
    host: request.headers.host,
    machine: hostname(),
  };
}

function readRequest(request: Request): StopRequest {
  const body = stopRequest.safeParse(request.body);
  return body.success ? body.data : {};
}

function findSender(request: Request, caller: StopCaller): StopSender {
  const { application = 'relay', user = null } = readRequest(request);
  const sender = getCommandSender(request, caller);
  return { ...sender, user: sender.user ?? (caller.isLocal && user !== null ? cleanText(user) : null), application };
}

function describeStop(parts: SafetyStopParts, caller: StopCaller): StopResponse {
  const { lab, safetyStops } = parts;
  const { value: settings } = lab.settings;
  const { current, acknowledged } = lab.stops.value;
  // The token is checked with the request that changes something.
  const reader = { ...caller, forgery: null };
  return {
    stop: safetyStops.last,
    in_effect: current !== null || acknowledged !== null,
    acknowledged: acknowledged !== null,
    known_nodes: lab.knownNodes?.nodes.length ?? 0,
    releases: safetyStops.releases.map(({ name, commands }) => ({ name, commands: [...commands] })),
    refusals: {
      stop: refuseStop(settings, reader)?.detail ?? commandRefusal(lab.followed.value?.lab),
      release: refuseRelease(settings, reader)?.detail ?? null,
      acknowledge: refuseAcknowledgement(reader)?.detail ?? null,
    },
  };
}
