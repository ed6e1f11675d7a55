import { createHash } from 'node:crypto'
import { readBlocks } from './read-blocks.ts'

/** SHA-256 of a file's bytes, lower-case hexadecimal. @throws errors of the file system */
export async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const block of readBlocks(file)) hash.update(block)
  return hash.digest('hex')
}
