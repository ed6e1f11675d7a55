import { DomainError } from '../../../../kernel/errors.ts'
import type { CopyDeps } from './copy-deps.ts'

type Deps = Pick<CopyDeps, 'blobs' | 'copyLimits'>

/** When it is worth asking again, in seconds. */
const askAgain = 60
export const noRoom = (cause?: unknown): DomainError =>
  new DomainError('unavailable', 'document.copy_no_room', { seconds: askAgain }, cause === undefined ? {} : { cause })

/** Bytes of copies that there is room for; null: the store cannot tell. */
export async function findRoom({ blobs, copyLimits }: Deps): Promise<number | null> {
  const free = await blobs.room()
  return free === null ? null : Math.max(0, free - copyLimits.spareBytes)
}

/** Before any byte is taken: what came already is kept. @throws DomainError unavailable `document.copy_no_room` */
export async function refuseWithoutRoom(deps: Deps, bytes: number): Promise<void> {
  const room = await findRoom(deps)
  if (room !== null && bytes > room) throw noRoom()
}

/** The disk may fill between the look and the last byte. */
export const isFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
