/**
 * The datapoints and the bytes of their files. Nothing is on a disk: a file's `path` is only what the real manager
 * would say, and bytes are found by path, or by object name for those in an object store.
 */
import type { Datapoint } from '../../api/managers/data.ts';
import { idOf } from '../base/parts.ts';
import type { OwnershipInfo } from '../../api/client/wire.ts';
import { naiveText, newestFirst, type DemoClock } from '../base/clock.ts';
import type { Random } from '../base/random.ts';
import { matches } from '../base/selector.ts';

interface StoredFile {
  readonly filename: string;
  readonly bytes: Uint8Array;
}

/** What the workcell stores of a step: a value or a file. */
interface NewData {
  readonly label: string;
  readonly ownership: OwnershipInfo;
  readonly value?: unknown;
  readonly file?: StoredFile;
  /** When it was made, in milliseconds; now unless given. */
  readonly at?: number;
}

/** What other parts of the lab need of the data manager. */
interface DataSink {
  /** Stores a datapoint and answers its ID. */
  add(data: NewData): string;
  /** The JSON value of a datapoint, or its file; undefined where there is none. */
  value(id: string): unknown;
}

export interface DataParts {
  readonly clock: DemoClock;
  readonly random: Random;
  readonly ownership: OwnershipInfo;
  /** With one, files that are uploaded become objects in it, as in a lab with MinIO. */
  readonly objectStorage: boolean;
}

export class DataStore implements DataSink {
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

  /** The bytes of a datapoint's file or object; undefined where the demo lab never got any. */
  bytes(datapoint: Datapoint): Uint8Array | undefined {
    const name = datapoint.data_type === 'object_storage' ? datapoint.object_name : datapoint.path;
    return name === null || name === undefined ? undefined : this.#bytes.get(name);
  }

  /** Stores a datapoint as it is, with its file if it has one: then its path, or all about the object, is filled in. */
  insert(datapoint: Datapoint, file?: StoredFile): Datapoint {
    const stored = file === undefined ? datapoint : this.#withFile(datapoint, file);
    this.#datapoints.set(idOf(stored), stored);
    return stored;
  }

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

  /** Stores an object of an object store, whether files become objects in this lab or not. */
  addObject(object: StoredFile & { readonly id: string; readonly label: string; readonly at: number }): void {
    const name = `${object.id}_${object.label}`;
    this.#bytes.set(name, object.bytes);
    this.insert({
      label: object.label,
      ownership_info: this.#parts.ownership,
      data_type: 'object_storage',
      _id: object.id,
      data_timestamp: naiveText(object.at),
      ...objectFields(name, object, object.filename),
    });
  }

  value(id: string): unknown {
    const datapoint = this.#datapoints.get(id);
    if (datapoint === undefined) return undefined;
    return datapoint.data_type === 'json' ? datapoint.value : this.bytes(datapoint);
  }

  /** Newest first; 0 means all. */
  list(number: number): Datapoint[] {
    return newestFirst([...this.#datapoints.values()], ({ data_timestamp: at }) => at ?? '', number);
  }

  /** In the order of storing, all that match. */
  query(selector: unknown): Datapoint[] {
    matches({}, selector);
    return [...this.#datapoints.values()].filter((datapoint) => matches(datapoint, selector));
  }

  #withFile(datapoint: Datapoint, file: StoredFile): Datapoint {
    const id = idOf(datapoint);
    if (this.#parts.objectStorage && datapoint.data_type === 'file') {
      const name = `${id}_${datapoint.label ?? file.filename}`;
      this.#bytes.set(name, file.bytes);
      return { ...datapoint, ...objectFields(name, file, datapoint.path) };
    }
    const [day = ''] = (datapoint.data_timestamp ?? '').split('T');
    const path = `/demo-lab/.madsci/datapoints/${day.replaceAll('-', '/')}/${id}_${file.filename}`;
    this.#bytes.set(path, file.bytes);
    return { ...datapoint, path };
  }
}

/** What an object store says about an object; the in-memory one has no host, so the address has none either. */
function objectFields(name: string, file: StoredFile, path: unknown): Partial<Datapoint> {
  let sum = 0;
  for (const byte of file.bytes) sum = (Math.imul(sum, 31) + byte) >>> 0;
  return {
    data_type: 'object_storage',
    url: `http:///madsci-data/${name}`,
    storage_endpoint: '',
    public_endpoint: '',
    path: typeof path === 'string' ? path : file.filename,
    bucket_name: 'madsci-data',
    object_name: name,
    content_type: contentType(name).replace(/;.*/, ''),
    size_bytes: file.bytes.length,
    etag: `inmemory-${sum.toString(16).padStart(8, '0')}`,
    custom_metadata: {},
  };
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

/** The type guessed from a name, plain text where nothing is known of it. */
export function contentType(name: string): string {
  return types[/\.([^./]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''] ?? 'text/plain; charset=utf-8';
}
