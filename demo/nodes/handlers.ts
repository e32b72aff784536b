/** A node's REST interface: the table of `api/`, and MADSci's other spellings of the same paths. */
import { zipSync } from 'fflate';
import { actionResult, actionStatus } from '../../api/managers/action.ts';
import type { Api } from '../../api/client/endpoint.ts';
import { nodeApi } from '../../api/managers/node.ts';
import type { JsonObject } from '../../api/client/wire.ts';
import { Bytes, Refusal, type DemoRequest, type Handlers } from '../base/handling.ts';
import type { DemoNode } from './node.ts';

export const servedNodeApi = {
  server: 'node',
  endpoints: {
    ...nodeApi.endpoints,
    getNamedActionStatus: {
      ...nodeApi.endpoints.getActionStatus,
      path: '/action/{action_name}/{action_id}/status',
      response: actionStatus,
    },
    getNamedActionResult: {
      ...nodeApi.endpoints.getActionResult,
      path: '/action/{action_name}/{action_id}/result',
      response: actionResult,
    },
    downloadNamedActionFiles: {
      ...nodeApi.endpoints.downloadActionFiles,
      path: '/action/{action_name}/{action_id}/download',
    },
  },
} as const satisfies Api;

/** A name inside the archive: a single file keeps its own, others are named by their label. */
function entryName(label: string, filename: string, alone: boolean): string {
  if (alone) return filename;
  const dot = filename.lastIndexOf('.');
  return dot < 0 ? label : label + filename.slice(dot);
}

function download(node: DemoNode, id: string): Bytes {
  const { status } = node.result(id);
  if (status !== 'succeeded') {
    const why = `did not succeed (status: ActionStatus.${status.toUpperCase()}). Cannot download files from failed action.`;
    throw new Refusal(400, `Action ${id} ${why}`);
  }
  const files = Object.entries(node.files(id));
  if (files.length === 0) throw new Refusal(404, `Action ${id} completed successfully but produced no file results`);
  const entries = files.map(
    ([label, file]) => [entryName(label, file.filename, files.length === 1), file.bytes] as const,
  );
  const zip = zipSync(Object.fromEntries(entries));
  return new Bytes(zip, 'application/zip', { 'Content-Disposition': `attachment; filename="${id}_files.zip"` });
}

const param = (request: DemoRequest, name: string) => request.params[name] ?? '';

function upload(node: DemoNode, request: DemoRequest): unknown {
  const argument = param(request, 'file_argument');
  return node.upload(param(request, 'action_name'), param(request, 'action_id'), argument, request.files);
}

const objectOf = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};

export function nodeHandlers(node: DemoNode): Handlers<typeof servedNodeApi> {
  const status = (request: DemoRequest) => node.result(param(request, 'action_id')).status;
  const result = (request: DemoRequest) => node.result(param(request, 'action_id'));
  const files = (request: DemoRequest) => download(node, param(request, 'action_id'));
  return {
    getStatus: () => node.status(),
    getInfo: () => node.info(),
    getState: () => node.state,
    getLog: () => node.log(),
    setConfig: ({ body }) => node.setConfig(objectOf(body)),
    sendCommand: (request) => node.command(param(request, 'admin_command')),
    createAction: (request) => node.create(param(request, 'action_name'), objectOf(objectOf(request.body)['args'])),
    uploadFile: (request) => upload(node, request),
    uploadFiles: (request) => upload(node, request),
    startAction: (request) => node.start(param(request, 'action_name'), param(request, 'action_id')),
    getActionHistory: ({ query }) => node.history(query.get('action_id')),
    getActionStatus: status,
    getActionResult: result,
    downloadActionFiles: files,
    getNamedActionStatus: status,
    getNamedActionResult: result,
    downloadNamedActionFiles: files,
  };
}
