import { MalformedError } from '../encoding/der.ts'

/** What is read of an entry; undefined for one that cannot be unpacked, or is not what its checksum says. */
export async function ifReadable<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read
  } catch (error) {
    if (error instanceof MalformedError) return undefined
    throw error
  }
}
