/** A parsed value, or what is wrong with it; the reason follows the key in messages. */
export type Parsed<Value = unknown> =
  { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly message: string };
