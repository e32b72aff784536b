/** What the workcell manager needs of the managers around it; the real one asks them over HTTP. */
import type { JsonObject, OwnershipInfo } from '../../api/client/wire.ts';
import type { UploadedFile } from '../base/handling.ts';
import type { DemoNode } from '../nodes/node.ts';

export interface LabLocation {
  readonly id: string;
  readonly name: string;
  /** By the name of the node. */
  readonly representations: Readonly<Record<string, unknown>>;
  readonly resourceId: string | null;
}

export interface Surroundings {
  location(nameOrId: string): LabLocation | undefined;
  locations(): readonly LabLocation[];
  /** The definition of the workflow that carries something from one location to another; throws a `Refusal`. */
  plan(sourceId: string, targetId: string): JsonObject;
  /** A resource as its manager serves it. */
  resource(idOrName: string): JsonObject | undefined;
  addJson(label: string, value: unknown, ownership: OwnershipInfo): string;
  addFile(label: string, file: UploadedFile, ownership: OwnershipInfo): string;
  /** The value of a JSON datapoint. */
  json(datapointId: string): unknown;
  file(datapointId: string): UploadedFile | undefined;
  /** The node that listens at an address; undefined where nothing does, or the node doesn't answer now. */
  node(url: string): DemoNode | undefined;
}
