/** Hands bytes to the browser as a file. */
export function saveBlob(name: string, blob: Blob): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The download has begun by then; some browsers begin it only after the click's task.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
