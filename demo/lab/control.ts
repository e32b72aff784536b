/**
 * The demo lab's own small server: faults, size and life on request. One port of its own, so that the managers' ports
 * serve nothing that real ones don't:
 *
 * - `GET /demo/faults`: what is wrong now
 * - `POST /demo/faults`: `{"manager": "event", "fault": "down"}`, `{"manager": "data", "fault": "slow", "ms": 4000}`,
 *   `{"node": "robotarm_1", "fault": "unreachable"}`; `"fault": null` mends. `{"workcell": "errored"}`: its engine has
 *   failed and starts no step; null mends. `{"clock_error_ms": -90000}`: the lab's clock is wrong by so much
 * - `POST /demo/scale`: `{"resources": 10000, "workflows": 5000, "events": 100000, "nodes": 200}`, each optional;
 *   `"steps": 10` makes workflows of so many steps instead of the lab's own ones
 * - `POST /demo/life`: `{"living": false}`
 *
 * No page may use it: it sends no CORS headers, refuses requests that come from a page (`Origin`) or by a name other
 * than loopback's (DNS rebinding), and takes only JSON.
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

const lifeRequest = z.strictObject({ living: z.boolean() });

interface Controlled {
  readonly faults: Faults;
  readonly scale: (request: ScaleRequest) => void;
  readonly setLiving: (living: boolean) => void;
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

/** Only programs of this machine: no page, and no name that was made to point here. */
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

/** Takes a body of the given form, or says what is wrong with it. */
function route<S extends z.ZodMiniType>(schema: S, act: (value: z.output<S>) => Promise<object> | object) {
  return async (request: Request, response: Response): Promise<void> => {
    const received = z.safeParse(schema, request.body);
    if (!received.success) {
      response.status(422).json({ detail: z.prettifyError(received.error) });
      return;
    }
    try {
      response.json(await act(received.data));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      response.status(404).json({ detail: error.message });
    }
  };
}

export function controlApp({ faults, scale, setLiving }: Controlled): Express {
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
    '/demo/life',
    route(lifeRequest, ({ living }) => {
      setLiving(living);
      return { living };
    }),
  );
  return app;
}
