import { open } from 'node:fs/promises'

/** Most files of a program fit in. */
const firstBlockBytes = 32 * 1024

/**
 * The bytes of a file in order, each block in the same memory as the one before: valid until the next is asked for, so for whoever looks at
 * them and keeps nothing, such as a digest. A new buffer for each block of a large file is what costs most in reading it, and a large one for
 * each of thousands of small files what costs most in reading those: only a file that fills a small one gets it.
 * @throws errors of the file system
 */
export async function* readBlocks(file: string, blockBytes = 512 * 1024): AsyncGenerator<Uint8Array> {
  const handle = await open(file, 'r')
  try {
    let block = new Uint8Array(Math.min(blockBytes, firstBlockBytes))
    for (;;) {
      const { bytesRead } = await handle.read(block, 0, block.length, null)
      if (bytesRead === 0) return
      yield block.subarray(0, bytesRead)
      if (bytesRead === block.length && block.length < blockBytes) block = new Uint8Array(blockBytes)
    }
  } finally {
    await handle.close()
  }
}
