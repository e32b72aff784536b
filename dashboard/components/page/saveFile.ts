/** Hands files to the browser, which saves them where the person has downloads. */

export function saveBlob(name: string, blob: Blob): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The download has begun by then; some browsers begin it only after the click's task.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** @param type a media type, such as `application/yaml` */
export function saveText(name: string, text: string, type: string): void {
  saveBlob(name, new Blob([text], { type }));
}
