import { base64 } from '@scure/base'
import { concatBytes, utf8 } from '../../../../kernel/bytes.ts'
import { parseCheckpoint, parseCount } from './checkpoint.ts'
import type { SignedCheckpoint } from './checkpoint.ts'
import { longestPath } from './merkle-proof.ts'
import { decode, decodeBase64 } from './note.ts'

/** C2SP tlog-proof: that an entry is in a log, to be verified without the log. */
export type TlogProof = {
  /** Of ours: the salt of the commitment. Vouched for by nobody. */
  readonly extra: Uint8Array | null
  readonly index: number
  /** Nearest first. */
  readonly path: readonly Uint8Array[]
  readonly checkpoint: SignedCheckpoint
}

export const tlogProofHeader = 'c2sp.org/tlog-proof@v1'
export const largestTlogProof = 1 << 17

/** @param checkpoint the signed note, UTF-8, verbatim */
export function formatTlogProof(proof: {
  extra: Uint8Array | null
  index: number
  path: readonly Uint8Array[]
  checkpoint: Uint8Array
}): Uint8Array<ArrayBuffer> {
  const lines = [
    tlogProofHeader,
    ...(proof.extra === null ? [] : [`extra ${base64.encode(proof.extra)}`]),
    `index ${String(proof.index)}`,
    ...proof.path.map((hash) => base64.encode(hash)),
  ]
  return concatBytes(utf8(`${lines.join('\n')}\n\n`), proof.checkpoint)
}

/** `not_proof`: another kind of file. The other reasons name the part at fault. */
export type TlogProofFlaw = 'not_proof' | 'too_long' | 'extra' | 'index' | 'path' | 'checkpoint'

export function parseTlogProof(bytes: Uint8Array): TlogProof | TlogProofFlaw {
  if (bytes.length > largestTlogProof) return 'too_long'
  const text = decode(bytes)
  if (text === null || !text.startsWith(`${tlogProofHeader}\n`)) return 'not_proof'
  const end = text.indexOf('\n\n')
  if (end < 0) return 'checkpoint'
  const lines = text.slice(tlogProofHeader.length + 1, end).split('\n')
  let extra: Uint8Array | null = null
  if (lines[0]?.startsWith('extra ') === true) {
    extra = decodeBase64(lines[0].slice(6))
    if (extra === null) return 'extra'
    lines.shift()
  }
  const [first = '', ...hashes] = lines
  const index = first.startsWith('index ') ? parseCount(first.slice(6)) : null
  if (index === null) return 'index'
  const path: Uint8Array[] = []
  if (hashes.length > longestPath) return 'path'
  for (const line of hashes) {
    const hash = decodeBase64(line)
    if (hash?.length !== 32) return 'path'
    path.push(hash)
  }
  const checkpoint = parseCheckpoint(utf8(text.slice(end + 2)))
  return checkpoint === null ? 'checkpoint' : { extra, index, path, checkpoint }
}
