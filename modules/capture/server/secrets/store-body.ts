/** Bodies that are made anew: in memory while they are short, else in a file of their own. */
import { createHash } from 'node:crypto'
import { appendFile } from 'node:fs/promises'
import type { SpooledBytes } from '../record/exchange/exchange.ts'

export type StoredBytes = { readonly raw: SpooledBytes; readonly bytes: number; readonly sha256: string }

export type BodyStore = {
  keep(parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<StoredBytes>
  /** The same for whoever has no parts to be asked for: nothing is lost when `finish` is not called. */
  begin(): { readonly write: (part: Uint8Array) => Promise<void>; readonly finish: () => Promise<StoredBytes> }
}

const inlineBytes = 32 * 1024

/** @param fileOf path of file number `n`, from 1, which must not exist yet */
export function createBodyStore(fileOf: (n: number) => string): BodyStore {
  let files = 0
  const begin: BodyStore['begin'] = () => {
    const hash = createHash('sha256')
    let held: Uint8Array[] = []
    let [bytes, heldBytes] = [0, 0]
    let file: string | null = null
    const flush = async () => {
      if (file === null) {
        files += 1
        file = fileOf(files)
      }
      await appendFile(file, Buffer.concat(held), { mode: 0o600 })
      held = []
      heldBytes = 0
    }
    return {
      write: async (part) => {
        hash.update(part)
        bytes += part.length
        heldBytes += part.length
        held.push(Buffer.from(part))
        if (heldBytes > inlineBytes) await flush()
      },
      finish: async () => {
        if (file !== null && heldBytes > 0) await flush()
        return {
          raw: file === null ? { kind: 'bytes', bytes: Buffer.concat(held) } : { kind: 'file', file, length: bytes },
          bytes,
          sha256: hash.digest('hex'),
        }
      },
    }
  }
  return {
    begin,
    keep: async (parts) => {
      const { write, finish } = begin()
      for await (const part of parts) await write(part)
      return await finish()
    },
  }
}
