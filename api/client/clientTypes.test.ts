/** The types derived from the tables. These tests fail when the file does not compile. */
import { describe, expectTypeOf, it } from 'vitest';
import { createClient, type Client } from './client.ts';
import { dataApi } from '../managers/data.ts';
import type { Output, Input } from './endpoint.ts';
import { locationApi } from '../managers/location.ts';
import { nodeApi } from '../managers/node.ts';
import { resourceApi } from '../managers/resource.ts';
import type { Resource } from '../managers/resourceTypes.ts';
import { workcellApi, type WorkcellState } from '../managers/workcell.ts';
import type { Workflow, Workflows } from '../managers/workflow.ts';

const baseUrl = 'http://lab';

/** Accepts calls that are type-checked but never executed. */
function compileOnly(_calls: () => unknown): void {}

describe('the types of a client', () => {
  const workcell = createClient(workcellApi, { baseUrl });
  const location = createClient(locationApi, { baseUrl });
  const resource = createClient(resourceApi, { baseUrl });

  it('a client has one function for each endpoint and no other', () => {
    expectTypeOf<keyof Client<typeof workcellApi>>().toEqualTypeOf<keyof typeof workcellApi.endpoints>();
    // @ts-expect-error there is no such endpoint
    compileOnly(() => workcell.deleteWorkflow);
  });

  it('each function returns the type from the endpoint table', () => {
    expectTypeOf<Awaited<ReturnType<typeof workcell.getState>>>().toEqualTypeOf<WorkcellState>();
    expectTypeOf<Awaited<ReturnType<typeof workcell.getArchivedWorkflows>>>().toEqualTypeOf<Workflows>();
    expectTypeOf<Awaited<ReturnType<typeof workcell.startWorkflow>>>().toEqualTypeOf<Workflow>();
    expectTypeOf<Awaited<ReturnType<typeof resource.queryResources>>>().toEqualTypeOf<Resource[]>();
    expectTypeOf<Awaited<ReturnType<typeof resource.popResource>>>().toEqualTypeOf<[Resource, Resource]>();
    expectTypeOf<Output<typeof dataApi.endpoints.getDatapointValue>>().toEqualTypeOf<Blob>();
  });

  it('each function requires its path parameters, also those of 0.7', () => {
    expectTypeOf<Input<typeof workcellApi.endpoints.getWorkflow>>().toEqualTypeOf<{ readonly workflow_id: string }>();
    compileOnly(() => location.deleteLocation({ location_name: 'a', location_id: 'b' }));
    // @ts-expect-error the ID is missing
    compileOnly(() => location.deleteLocation({ location_name: 'a' }));
    // @ts-expect-error the parameter is called workflow_id
    compileOnly(() => workcell.getWorkflow({ id: 'a' }));
    // @ts-expect-error the ID is a string
    compileOnly(() => workcell.getWorkflow({ workflow_id: 7 }));
    // @ts-expect-error the parameter is missing
    compileOnly(() => workcell.getWorkflow());
  });

  it('each function accepts the query parameters of its endpoint and requires the mandatory ones', () => {
    compileOnly(() => workcell.getArchivedWorkflows());
    compileOnly(() => workcell.getArchivedWorkflows({ number: 0 }));
    // @ts-expect-error `number` is a number
    compileOnly(() => workcell.getArchivedWorkflows({ number: 'all' }));
    // @ts-expect-error there is no such parameter
    compileOnly(() => workcell.getArchivedWorkflows({ limit: 5 }));
    // @ts-expect-error the endpoint has no parameters
    compileOnly(() => workcell.getNodes({ number: 5 }));
    // @ts-expect-error node_url is missing
    compileOnly(() => workcell.addNode({ node_name: 'arm' }));
  });

  it('each function requires its body', () => {
    compileOnly(() => resource.addResource({ body: { base_type: 'row', columns: 12 } }));
    // @ts-expect-error a row has columns
    compileOnly(() => resource.addResource({ body: { base_type: 'row' } }));
    // @ts-expect-error not a type of MADSci
    compileOnly(() => resource.addResource({ body: { base_type: 'shelf' } }));
    // @ts-expect-error the body is missing
    compileOnly(() => resource.addResource({}));
    // @ts-expect-error an unknown key is refused by the manager
    compileOnly(() => resource.queryResources({ body: { name: 'plate' } }));
  });

  it('only form endpoints accept files', () => {
    const files = { protocol: new Blob([]) };
    compileOnly(() => workcell.startWorkflow({ body: { workflow_definition_id: 'D' }, files }));
    // @ts-expect-error not a form
    compileOnly(() => workcell.addWorkflowDefinition({ body: { name: 'w' }, files }));
    // @ts-expect-error a file is a Blob
    compileOnly(() => workcell.startWorkflow({ body: { workflow_definition_id: 'D' }, files: { protocol: 'text' } }));
  });

  it('an open enumeration keeps its known values and accepts other strings', () => {
    type Status = Output<typeof nodeApi.endpoints.getActionStatus>;
    expectTypeOf<string>().toExtend<Status>();
    expectTypeOf<Extract<Status, 'running' | 'failed'>>().toEqualTypeOf<'running' | 'failed'>();
  });
});
