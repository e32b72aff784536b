/** The datapoints and the bytes of their files, by path or object name. Nothing is written to a disk. */
import type { Datapoint } from '../../api/managers/data.ts';
import { recordId } from '../base/demoManager.ts';
import type { OwnershipInfo } from '../../api/client/wire.ts';
import { naiveText, newestFirst, type DemoClock } from '../base/clock.ts';
import type { Random } from '../base/random.ts';
import { matches } from '../base/selector.ts';

interface StoredFile {
  readonly filename: string;
  readonly bytes: Uint8Array;
}

/** A datapoint of a workflow step: a value or a file. */
interface NewData {
  readonly label: string;
  readonly ownership: OwnershipInfo;
  readonly value?: unknown;
  readonly file?: StoredFile;
  /** The creation time in milliseconds; by default now. */
  readonly at?: number;
}

export interface DataParts {
  readonly clock: DemoClock;
  readonly random: Random;
  readonly ownership: OwnershipInfo;
}

export class DataStore {
  readonly #parts: DataParts;
  readonly #datapoints = new Map<string, Datapoint>();
  readonly #bytes = new Map<string, Uint8Array>();

  constructor(parts: DataParts) {
    this.#parts = parts;
  }

  get total(): number {
    return this.#datapoints.size;
  }

  get(id: string): Datapoint | undefined {
    return this.#datapoints.get(id);
  }

  /** Returns the bytes of a datapoint's file or object; undefined if the demo lab never received any. */
  bytes(datapoint: Datapoint): Uint8Array | undefined {
    return this.#bytes.get(datapoint.object_name ?? datapoint.path ?? '');
  }

  /** Stores a datapoint; with a file, its path is filled in. */
  insert(datapoint: Datapoint, file?: StoredFile): Datapoint {
    const storedDatapoint = file === undefined ? datapoint : this.#attachFile(datapoint, file);
    this.#datapoints.set(recordId(storedDatapoint), storedDatapoint);
    return storedDatapoint;
  }

  /** Stores a value or a file and returns its ID. */
  add(data: NewData): string {
    const { clock, random, ownership } = this.#parts;
    const at = data.at ?? clock.now();
    const id = random.ulid(at);
    const common = {
      label: data.label,
      ownership_info: { ...ownership, ...data.ownership },
      data_type: data.file === undefined ? 'json' : 'file',
      _id: id,
      data_timestamp: naiveText(at),
    };
    if (data.file === undefined) this.insert({ ...common, value: data.value ?? null });
    else this.insert(common, data.file);
    return id;
  }

  /** Stores an object of an object store, as in a lab with MinIO. */
  addObject(object: StoredFile & { readonly id: string; readonly label: string; readonly at: number }): void {
    const name = `${object.id}_${object.label}`;
    this.#bytes.set(name, object.bytes);
    this.insert({
      label: object.label,
      ownership_info: this.#parts.ownership,
      data_type: 'object_storage',
      _id: object.id,
      data_timestamp: naiveText(object.at),
      url: `http:///madsci-data/${name}`,
      storage_endpoint: '',
      public_endpoint: '',
      path: object.filename,
      bucket_name: 'madsci-data',
      object_name: name,
      content_type: contentType(name),
      size_bytes: object.bytes.length,
      etag: `inmemory-${object.id}`,
      custom_metadata: {},
    });
  }

  /** Returns the JSON value of a datapoint, or its file; undefined for an unknown ID. */
  value(id: string): unknown {
    const datapoint = this.#datapoints.get(id);
    if (datapoint === undefined) return undefined;
    return datapoint.data_type === 'json' ? datapoint.value : this.bytes(datapoint);
  }

  /** Returns the newest datapoints first; 0 means all. */
  list(number: number): Datapoint[] {
    return newestFirst([...this.#datapoints.values()], ({ data_timestamp: at }) => at ?? '', number);
  }

  /** Returns all matching datapoints, in the order of storing. */
  query(selector: unknown): Datapoint[] {
    matches({}, selector);
    return [...this.#datapoints.values()].filter((datapoint) => matches(datapoint, selector));
  }

  #attachFile(datapoint: Datapoint, file: StoredFile): Datapoint {
    const [day = ''] = (datapoint.data_timestamp ?? '').split('T');
    const path = `/demo-lab/.madsci/datapoints/${day.replaceAll('-', '/')}/${recordId(datapoint)}_${file.filename}`;
    this.#bytes.set(path, file.bytes);
    return { ...datapoint, path };
  }
}

const types: Readonly<Record<string, string>> = {
  csv: 'text/csv; charset=utf-8',
  gif: 'image/gif',
  html: 'text/html; charset=utf-8',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  json: 'application/json',
  pdf: 'application/pdf',
  png: 'image/png',
  py: 'text/x-python; charset=utf-8',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
  xml: 'text/xml; charset=utf-8',
  zip: 'application/zip',
};

/** Returns the content type for a file extension; plain text for an unknown one. */
export function contentType(name: string): string {
  return types[/\.([^./]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''] ?? 'text/plain; charset=utf-8';
}
