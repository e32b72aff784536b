/** What a setting allows, in words, for problems, `--help` and the documentation. */
import * as z from 'zod';
import { isOptional, type Setting } from '../schema/table.ts';

function bounds(setting: Setting): string {
  const schema = z.toJSONSchema(setting.schema) as {
    minimum?: number;
    maximum?: number;
    anyOf?: readonly { type?: string; minimum?: number; maximum?: number }[];
  };
  const { minimum, maximum } = schema.anyOf?.find((part) => part.type !== 'null') ?? schema;
  // zod writes the range of safe integers where a schema has no bound of its own.
  if (maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER) {
    return ` from ${minimum} to ${maximum}`;
  }
  return minimum === undefined || minimum <= Number.MIN_SAFE_INTEGER ? '' : ` of at least ${minimum}`;
}

function ofKind(setting: Setting): string {
  switch (setting.kind) {
    case 'url':
      return 'an http or https address without user, password, query or fragment, such as http://localhost:8000';
    case 'host':
      return 'a host name or IP address, without scheme and port';
    case 'hosts':
      return 'a list (in the environment as JSON, or separated by commas) of host names, without scheme and port';
    case 'boolean':
      return 'true or false (also 1/0, yes/no, on/off)';
    case 'integer':
      return `a whole number${bounds(setting)}`;
    case 'number':
      return `a number${bounds(setting)}`;
    case 'text':
      return 'text';
    case 'level':
      return 'DEBUG, INFO, WARNING, ERROR, CRITICAL, or a number from 10 to 50';
    case 'path':
      return 'a directory';
    case 'networks':
      return `a list (in the environment as JSON) of IP addresses or networks, such as ${setting.example}`;
    case 'webhooks':
      return 'an http, https, smtp or smtps address, or a list of them (in the environment as JSON)';
    case 'publicKey':
      return 'an Ed25519 public key in one line, as `openssl pkey -pubout` writes it between its first and its last';
    case 'timeZone':
      return 'an IANA time zone such as Europe/Berlin, UTC, or an offset such as +05:30';
    case 'word':
      return `one of ${allowedWords(setting).join(', ')}`;
    case 'words':
      return `a list (in the environment as JSON, or separated by commas) of ${allowedWords(setting).join(', ')}`;
    case 'origins':
      return 'a list (in the environment as JSON) of origins, such as ["http://bench4:8000"], or ["*"]';
  }
}

/** What a setting allows: `a whole number from 0 to 65535, or None`. */
export function expectedWords(setting: Setting): string {
  return `${ofKind(setting)}${isOptional(setting) ? ', or None' : ''}`;
}

/** The words that a setting takes, from its schema; none where it takes others too. */
export function allowedWords({ schema }: Setting): readonly string[] {
  const { enum: own, items } = z.toJSONSchema(schema, { io: 'input' });
  const words = own ?? (typeof items === 'object' && !Array.isArray(items) ? items.enum : undefined);
  return (words ?? []).map(String);
}
