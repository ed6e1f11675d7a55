import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readBlocks } from './read-blocks.ts'

const folder = mkdtempSync(join(tmpdir(), 'probant-blocks-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const largest = 512 * 1024

test.each([0, 1, 32_767, 32_768, 32_769, largest, largest + 32_768, 2 * largest + 5])(
  '%i bytes come whole and in order',
  async (size) => {
    const file = join(folder, 'file')
    const bytes = Buffer.from(Uint32Array.from({ length: Math.ceil(size / 4) }, (_, at) => at).buffer).subarray(0, size)
    writeFileSync(file, bytes)
    const read: Buffer[] = []
    const memories = new Set<ArrayBufferLike>()
    for await (const block of readBlocks(file)) {
      read.push(Buffer.from(block))
      memories.add(block.buffer)
      expect(block.length).toBeLessThanOrEqual(largest)
    }
    expect(Buffer.concat(read).equals(bytes)).toBe(true)
    // However long the file: a small memory, and a large one where that is filled.
    const taken = [...memories].map(({ byteLength }) => byteLength)
    expect(taken).toEqual([32_768, largest].slice(0, size === 0 ? 0 : size > 32_768 ? 2 : 1))
  },
)
