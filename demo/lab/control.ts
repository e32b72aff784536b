/**
 * The demo lab's control server: faults, size and simulated activity. It has a separate port, so that the managers'
 * ports serve only what real ones do:
 *
 * - `GET /demo/faults`: the current faults
 * - `POST /demo/faults` with `{"manager": "event", "fault": "down"}`; a fault of null ends it
 * - `POST /demo/faults` with `{"manager": "data", "fault": "slow", "ms": 4000}`
 * - `POST /demo/faults` with `{"node": "robotarm_1", "fault": "unreachable"}`
 * - `POST /demo/faults` with `{"workcell": "errored"}`: its engine has failed and starts no step; null ends it
 * - `POST /demo/faults` with `{"clock_error_ms": -90000}`: sets the error of the lab's clock
 * - `POST /demo/scale` with `{"resources": 10000, "workflows": 5000, "events": 100000, "nodes": 200}`, each optional
 * - `POST /demo/scale` with `"steps": 10`: makes workflows with 10 steps instead of the lab's usual ones
 * - `POST /demo/simulation` with `{"running": false}`
 *
 * No page may use it: it sends no CORS headers, rejects requests from a page (`Origin`) or with a host name other than
 * loopback (DNS rebinding), and accepts only JSON.
 */
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import * as z from 'zod/mini';
import { managerKeys } from '../../api/managers.ts';
import type { Faults, ManagerFault } from './faults.ts';

const serverFault = z.enum(['down', 'hang', 'error500', 'limit429', 'garbage', 'slow', 'withoutCors']);

const faultRequest = z.union([
  z.strictObject({
    manager: z.enum(managerKeys),
    fault: z.nullable(serverFault),
    ms: z.optional(z.number().check(z.nonnegative())),
  }),
  z.strictObject({ node: z.string(), fault: z.nullable(z.enum(['unreachable', 'errored'])) }),
  z.strictObject({ workcell: z.nullable(z.literal('errored')) }),
  z.strictObject({ clock_error_ms: z.number() }),
]);

const count = z.optional(z.int().check(z.nonnegative(), z.lte(1_000_000)));
const scaleRequest = z.strictObject({ resources: count, workflows: count, events: count, nodes: count, steps: count });
export type ScaleRequest = z.infer<typeof scaleRequest>;

const simulationRequest = z.strictObject({ running: z.boolean() });

interface ControlledLab {
  readonly faults: Faults;
  readonly scale: (request: ScaleRequest) => void;
  readonly setSimulation: (running: boolean) => void;
}

function managerFault(kind: z.infer<typeof serverFault>, ms: number): ManagerFault {
  return kind === 'slow' ? { kind, ms } : { kind };
}

async function setFault(faults: Faults, request: z.infer<typeof faultRequest>): Promise<void> {
  if ('manager' in request) {
    const { manager, fault, ms = 3000 } = request;
    await faults.setManager(manager, fault === null ? null : managerFault(fault, ms));
  } else if ('node' in request) await faults.setNode(request.node, request.fault);
  else if ('workcell' in request) faults.setWorkcell(request.workcell);
  else faults.setClockError(request.clock_error_ms);
}

/** Allows only programs of this machine: no page, and no other host name that resolves to this machine. */
function guard(request: Request, response: Response, next: NextFunction): void {
  const { host = '', origin } = request.headers;
  if (origin !== undefined || !/^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(host)) {
    response.status(403).json({ detail: 'Only programs on this machine may change the demo lab' });
    return;
  }
  if (request.method === 'POST' && request.is('application/json') === false) {
    response.status(415).json({ detail: 'Send JSON' });
    return;
  }
  next();
}

/** Handles a body that matches the schema, or responds with the validation error. */
function route<S extends z.ZodMiniType>(schema: S, handler: (value: z.output<S>) => Promise<object> | object) {
  return async (request: Request, response: Response): Promise<void> => {
    const received = z.safeParse(schema, request.body);
    if (!received.success) {
      response.status(422).json({ detail: z.prettifyError(received.error) });
      return;
    }
    try {
      response.json(await handler(received.data));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      response.status(404).json({ detail: error.message });
    }
  };
}

export function controlApp({ faults, scale, setSimulation }: ControlledLab): Express {
  const app = express();
  app.disable('x-powered-by');
  app.use(guard, express.json());
  app.get('/demo/faults', (_request, response) => {
    response.json(faults.report());
  });
  app.post(
    '/demo/faults',
    route(faultRequest, async (request) => {
      await setFault(faults, request);
      return faults.report();
    }),
  );
  app.post(
    '/demo/scale',
    route(scaleRequest, (request) => {
      scale(request);
      return { ok: true };
    }),
  );
  app.post(
    '/demo/simulation',
    route(simulationRequest, ({ running }) => {
      setSimulation(running);
      return { running };
    }),
  );
  return app;
}
