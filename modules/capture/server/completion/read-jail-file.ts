import { constants } from 'node:fs'
import { open } from 'node:fs/promises'

/**
 * A file that the browser wrote where it may write. A browser that was taken over could leave a link, a pipe or a giant
 * there: links are not followed, only a plain file is read, and no more than `maxBytes` of it. Empty when there is none.
 */
export async function readJailFile(path: string | null, maxBytes: number): Promise<Buffer> {
  if (path === null) return Buffer.alloc(0)
  // O_NONBLOCK: opening a pipe would wait for its other end for ever.
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => null)
  if (handle === null) return Buffer.alloc(0)
  try {
    const found = await handle.stat()
    if (!found.isFile() || found.nlink !== 1 || found.size > maxBytes) return Buffer.alloc(0)
    const bytes = Buffer.alloc(found.size)
    let length = 0
    while (length < bytes.length) {
      const { bytesRead } = await handle.read(bytes, length, bytes.length - length, length)
      if (bytesRead === 0) break
      length += bytesRead
    }
    return bytes.subarray(0, length)
  } finally {
    await handle.close()
  }
}
