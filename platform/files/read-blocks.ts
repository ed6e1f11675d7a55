import { open } from 'node:fs/promises'

/**
 * The bytes of a file in order, each block in the same memory: valid until the next is asked for, so for whoever looks at them
 * and keeps nothing, such as a digest. A new buffer for each block of a large file is what costs most in reading it.
 * @throws errors of the file system
 */
export async function* readBlocks(file: string, blockBytes = 512 * 1024): AsyncGenerator<Uint8Array> {
  const handle = await open(file, 'r')
  try {
    const block = new Uint8Array(blockBytes)
    for (;;) {
      const { bytesRead } = await handle.read(block, 0, blockBytes, null)
      if (bytesRead === 0) return
      yield block.subarray(0, bytesRead)
    }
  } finally {
    await handle.close()
  }
}
