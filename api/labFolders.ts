/** The search for folders with a lab's settings on this machine: the app's requests, and the service's replies. */
import * as z from 'zod/mini';

/** `find-folders` searches below the roots; `list-folder` reads one folder. */
export const folderRequest = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('find-folders'), roots: z.array(z.string()) }),
  z.object({ kind: z.literal('list-folder'), path: z.string() }),
]);
export type FolderRequest = z.infer<typeof folderRequest>;

const labFolder = z.object({
  path: z.string(),
  /** `null` if the settings have none or contain errors. */
  labName: z.nullable(z.string()),
});
/** A folder with a lab's settings. */
export type LabFolder = z.infer<typeof labFolder>;
/** The reply to `find-folders`. */
export const labFolders = z.array(labFolder);

/** The reply to `list-folder`. */
export const folderListing = z.object({
  path: z.string(),
  parent: z.nullable(z.string()),
  folders: z.array(z.string()),
  /** The names of the settings files. */
  files: z.array(z.string()),
  /** `null` if the folder contains no lab's settings. */
  lab: z.nullable(labFolder),
});
export type FolderListing = z.infer<typeof folderListing>;
