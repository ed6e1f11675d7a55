import { z } from 'zod'

/** What such an archive has first: which deposit has which folder, or why it has none. */
const index = z.object({
  format: z.literal('probant-deposits/1'),
  deposits: z.array(
    z.object({
      id: z.uuid(),
      folder: z.string().nullable(),
      code: z.string().nullable(),
      sha256: z.string().nullable(),
      root: z.string().nullable(),
      batch_size: z.int().positive().nullable(),
    }),
  ),
})
export type ArchivedDeposit = z.infer<typeof index>['deposits'][number]

/** An archive of another form than is told of; or one that broke off. */
export class NotAnArchive extends Error {
  override readonly name = 'NotAnArchive'
}

export const indexName = 'deposits.json'

/** @throws NotAnArchive */
export function readIndex(bytes: Uint8Array): ArchivedDeposit[] {
  try {
    return index.parse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))).deposits
  } catch (error) {
    throw new NotAnArchive('its index is none', { cause: error })
  }
}

const localSignature = 0x04034b50
const centralSignature = 0x02014b50
/** Of any proof, and of the index of ten thousand. */
const largestFile = 32 * 1024 * 1024

/** Octets of a stream, taken as many at a time as are wanted. */
function createTaker(stream: AsyncIterable<Uint8Array>) {
  const parts = stream[Symbol.asyncIterator]()
  let held: Uint8Array = Buffer.alloc(0)
  return {
    async take(length: number): Promise<Buffer> {
      const taken: Uint8Array[] = []
      for (let missing = length; missing > 0;) {
        if (held.length === 0) {
          const next = await parts.next()
          if (next.done === true) throw new NotAnArchive('it broke off')
          held = next.value
        }
        const some = held.subarray(0, missing)
        taken.push(some)
        held = held.subarray(some.length)
        missing -= some.length
      }
      return Buffer.concat(taken, length)
    },
    async leave(): Promise<void> {
      await parts.return?.()
    },
  }
}

/**
 * Files of an archive as they come, from front to back (PKWARE APPNOTE 6.3.9 §4.3.7): stored, their lengths in their local headers. Memory: one
 * file. What they are, whoever takes them has to find out: the checksums are not looked at.
 * @throws NotAnArchive; what the stream throws
 */
export async function* readArchive(
  stream: AsyncIterable<Uint8Array>,
): AsyncGenerator<{ readonly path: string; readonly bytes: Buffer }> {
  const taker = createTaker(stream)
  try {
    for (;;) {
      const signature = (await taker.take(4)).readUInt32LE(0)
      // The directory begins: all files came.
      if (signature === centralSignature) return
      if (signature !== localSignature) throw new NotAnArchive('a record of another kind')
      const header = await taker.take(26)
      const [flags, method] = [header.readUInt16LE(2), header.readUInt16LE(4)]
      const [packed, length] = [header.readUInt32LE(14), header.readUInt32LE(18)]
      if (flags !== 0 || method !== 0 || packed !== length || length > largestFile)
        throw new NotAnArchive('a file of another form')
      const path = (await taker.take(header.readUInt16LE(22))).toString('latin1')
      await taker.take(header.readUInt16LE(24))
      yield { path, bytes: await taker.take(length) }
    }
  } finally {
    await taker.leave()
  }
}
