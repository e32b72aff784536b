/** Reads the body of a request, whatever form it has. */
import type { IncomingMessage } from 'node:http';
import type { UploadedFile } from '../base/handling.ts';
import { errorText } from '../../api/errorText.ts';

export type Body =
  | { readonly type: 'none' }
  | { readonly type: 'json'; readonly value: unknown }
  | { readonly type: 'badJson'; readonly at: number; readonly why: string }
  | {
      readonly type: 'form';
      readonly fields: Readonly<Record<string, string>>;
      readonly files: readonly UploadedFile[];
    }
  /** Neither JSON nor a form. */
  | { readonly type: 'text'; readonly text: string };

async function bytesOf(request: IncomingMessage): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) {
    if (Buffer.isBuffer(chunk)) chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * Fields and files of a form, read by the runtime's own `formData` (docs/adr/0030): a lab's files are small, and they
 * stay in memory here anyway.
 */
async function form(bytes: Buffer<ArrayBuffer>, contentType: string): Promise<Body> {
  const data = await new Response(bytes, { headers: { 'content-type': contentType } }).formData();
  const fields: Record<string, string> = {};
  const files: UploadedFile[] = [];
  for (const [name, value] of data) {
    if (typeof value === 'string') fields[name] = value;
    else {
      const content = new Uint8Array(await value.arrayBuffer());
      files.push({ filename: value.name, contentType: value.type, bytes: content });
    }
  }
  return { type: 'form', fields, files };
}

function json(text: string): Body {
  try {
    return { type: 'json', value: JSON.parse(text) as unknown };
  } catch (error) {
    const why = errorText(error);
    return { type: 'badJson', at: Number(/position (\d+)/.exec(why)?.[1] ?? 0), why };
  }
}

export async function readBody(request: IncomingMessage): Promise<Body> {
  const bytes = await bytesOf(request);
  if (bytes.length === 0) return { type: 'none' };
  const contentType = request.headers['content-type'] ?? '';
  if (contentType === '' || /^application\/(\w+\+)?json\b/.test(contentType)) return json(bytes.toString('utf8'));
  if (!/^(multipart\/form-data|application\/x-www-form-urlencoded)\b/.test(contentType)) {
    return { type: 'text', text: bytes.toString('utf8') };
  }
  try {
    return await form(bytes, contentType);
  } catch {
    // Not the form it says it is: the required fields are then missing.
    return { type: 'form', fields: {}, files: [] };
  }
}
