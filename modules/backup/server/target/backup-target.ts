/** Parts of a target: the pieces, the backups that name them, and what happened since them. */
export const targetFolders = ['pieces', 'backups', 'since'] as const
export type TargetFolder = (typeof targetFolders)[number]

export type TargetObject = { readonly name: string; readonly bytes: number }

/** Where backups are kept: a folder, or a bucket of an S3-compatible store. What it answers is believed in nothing: all of it is checked by hashes. */
export type BackupTarget = {
  /** As its operator named it. */
  readonly address: string
  list(folder: TargetFolder): AsyncIterable<TargetObject>
  /** Null when it is not there. */
  read(folder: TargetFolder, name: string): Promise<Buffer | null>
  /** Whole or not at all, and on disk once it resolved. @throws DomainError `backup.no_room` */
  write(folder: TargetFolder, name: string, bytes: Uint8Array): Promise<void>
  /** Removing what is not there succeeds. */
  remove(folder: TargetFolder, name: string): Promise<void>
}

/** Keeps a hostile name of a listing from ever becoming a path. @throws RangeError */
export function assertObjectName(name: string): void {
  if (!/^[0-9a-zA-Z][0-9a-zA-Z.-]{0,200}$/.test(name) || name.includes('..'))
    throw new RangeError('no name of an object of a backup')
}
