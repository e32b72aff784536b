/** A workcell with its nodes and stand-ins for the managers around it, for tests: time moves only when told to. */
import { workflow } from '../../api/workflow.ts';
import type { Workflow } from '../../api/workflow.ts';
import type { JsonObject } from '../../api/wire.ts';
import { ManualClock } from '../clock.ts';
import type { DemoRequest, UploadedFile } from '../handling.ts';
import { demoNodes } from '../nodes/kinds.ts';
import { DemoNode } from '../nodes/node.ts';
import { Random } from '../random.ts';
import { createWorkcellManager } from './manager.ts';
import type { LabLocation } from './surroundings.ts';

const request: DemoRequest = { params: {}, query: new URLSearchParams(), body: undefined, fields: {}, files: [] };

const places: readonly LabLocation[] = [
  {
    id: 'L1',
    name: 'liquidhandler_1.deck_1',
    representations: { robotarm_1: [1], liquidhandler_1: 1 },
    resourceId: 'R1',
  },
  { id: 'L2', name: 'platereader_1.carriage', representations: { robotarm_1: [2] }, resourceId: 'R2' },
];

export interface Extra {
  readonly values?: JsonObject;
  readonly paths?: JsonObject;
  readonly files?: readonly UploadedFile[];
  readonly fields?: Readonly<Record<string, string>>;
}

export class TestLab {
  readonly clock = new ManualClock();
  readonly random = new Random(5, this.clock);
  readonly nodes: ReadonlyMap<string, DemoNode>;
  readonly data = new Map<string, { value?: unknown; file?: UploadedFile }>();
  readonly resources: Record<string, JsonObject> = { R1: { children: {} }, R2: { children: {} } };
  readonly manager;

  constructor() {
    const { clock, random } = this;
    this.nodes = new Map(
      demoNodes.map(([name, kind]) => [
        name,
        new DemoNode({ name, kind, clock, random, world: { move: () => null }, url: () => `http://${name}/` }),
      ]),
    );
    const keep = (entry: { value?: unknown; file?: UploadedFile }) => {
      const id = random.ulid();
      this.data.set(id, entry);
      return id;
    };
    this.manager = createWorkcellManager({
      clock,
      random,
      labOwnership: {},
      log: () => undefined,
      adapters: {
        locations: () => places,
        location: (key) => places.find(({ id, name }) => id === key || name === key),
        plan: () => ({
          name: 'Transfer',
          steps: [
            {
              name: 'carry',
              node: 'robotarm_1',
              action: 'transfer',
              locations: { source: 'liquidhandler_1.deck_1', target: 'platereader_1.carriage' },
            },
          ],
        }),
        resource: (id) => this.resources[id],
        addJson: (_label, value) => keep({ value }),
        addFile: (_label, file) => keep({ file }),
        json: (id) => this.data.get(id)?.value,
        file: (id) => this.data.get(id)?.file,
        node: (url) => [...this.nodes.values()].find((node) => node.url === url && node.reachable),
      },
    });
    this.manager.start(Object.fromEntries([...this.nodes].map(([name, node]) => [name, node.url])));
  }

  node(name: string): DemoNode {
    const found = this.nodes.get(name);
    if (found === undefined) throw new Error(`no node ${name}`);
    return found;
  }

  define(steps: readonly JsonObject[], more: JsonObject = {}): string {
    const id = this.manager.handlers.addWorkflowDefinition({ ...request, body: { name: 'Test', steps, ...more } });
    return String(id);
  }

  start(definitionId: string, extra: Extra = {}): Workflow {
    const fields = {
      workflow_definition_id: definitionId,
      json_inputs: JSON.stringify(extra.values ?? {}),
      file_input_paths: JSON.stringify(extra.paths ?? {}),
      ...extra.fields,
    };
    return checked(this.manager.handlers.startWorkflow({ ...request, fields, files: extra.files ?? [] }));
  }

  run(steps: readonly JsonObject[], more: JsonObject = {}, extra: Extra = {}): Workflow {
    return this.start(this.define(steps, more), extra);
  }

  get(id: string): Workflow {
    return checked(this.manager.handlers.getWorkflow({ ...request, params: { workflow_id: id } }));
  }

  /** Asks any endpoint; the answer may take its time on the clock. */
  async ask(
    name: keyof TestLab['manager']['handlers'],
    params: Readonly<Record<string, string>> = {},
    query: Record<string, string> = {},
  ): Promise<unknown> {
    const answer = Promise.resolve().then(() =>
      this.manager.handlers[name]({ ...request, params, query: new URLSearchParams(query) }),
    );
    await Promise.resolve();
    await Promise.resolve();
    this.clock.advance(0);
    return answer;
  }

  async change(what: 'pause' | 'resume' | 'cancel' | 'resubmit' | 'retry', id: string, query = {}): Promise<Workflow> {
    return checked(await this.ask(`${what}Workflow`, { workflow_id: id }, query));
  }
}

function checked(body: unknown): Workflow {
  return workflow.parse(JSON.parse(JSON.stringify(body)));
}
