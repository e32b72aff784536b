/** Saves files as browser downloads. */

export function saveBlob(name: string, blob: Blob): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // Delayed, because some browsers start the download only after the click's task.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** @param type a media type, such as `application/yaml` */
export function saveText(name: string, text: string, type: string): void {
  saveBlob(name, new Blob([text], { type }));
}
