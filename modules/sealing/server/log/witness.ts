import { equalBytes, utf8 } from '../../../../kernel/bytes.ts'
import type { Clock } from '../../../../kernel/clock.ts'
import type { Db } from '../../../../platform/db/database.ts'
import {
  checkNoteSignature,
  cosignature,
  cosignedMessage,
  decodeBase64,
  formatNote,
  isConsistent,
  parseCheckpoint,
  parseCount,
  parseVerifierKey,
  signatureLine,
  type NoteSignature,
  type SignedCheckpoint,
  type VerifierKey,
} from '../../../verification/server/index.ts'
import type { Keyring } from '../keyring/signer.ts'
import { lockWitnessedLog, saveWitnessedLog } from './witness-store.ts'
import { nodeHash } from './read-log.ts'

export type WitnessAnswer = { readonly status: number; readonly type: string; readonly body: string }

export type WitnessDeps = {
  readonly db: Db
  readonly clock: Clock
  readonly keyring: Pick<Keyring, 'witnessSigner'>
  /** Name of the witness's key. */
  readonly name: string
  /** Logs that it cosigns, each with the keys that may sign it. */
  readonly logs: ReadonlyMap<string, readonly VerifierKey[]>
}

export const largestWitnessRequest = 1 << 16

/** @throws RangeError for a key that is not one: the setting is wrong, and nothing may be cosigned by it. */
export function witnessedLogs(logs: readonly { readonly origin: string; readonly key: string }[]): Map<string, VerifierKey[]> {
  const found = new Map<string, VerifierKey[]>()
  for (const { origin, key } of logs) {
    const parsed = parseVerifierKey(key)
    if (parsed?.type !== 1) throw new RangeError(`${key} is not an Ed25519 verifier key of a log`)
    found.set(origin, [...(found.get(origin) ?? []), parsed])
  }
  return found
}

const plain = (status: number, body: string): WitnessAnswer => ({
  status,
  type: 'text/plain; charset=utf-8',
  body: `${body}\n`,
})

/**
 * c2sp.org/tlog-witness, `add-checkpoint`: cosigns a checkpoint when it only grew since the last that was cosigned. The last is
 * compared, changed and stored in one transaction before anything is answered: two that ask at once come one after the other.
 */
export async function addCheckpoint(deps: WitnessDeps, body: Uint8Array): Promise<WitnessAnswer> {
  const request = parseRequest(body)
  if (request === null) return plain(400, 'malformed request')
  const { old, proof, checkpoint } = request
  const keys = deps.logs.get(checkpoint.origin)
  if (keys === undefined) return plain(404, 'unknown log')
  const outcomes = keys.map((key) => checkNoteSignature(checkpoint.note, key))
  if (outcomes.includes('false') || !outcomes.includes('valid')) return plain(403, 'no valid signature of the log')
  if (old > checkpoint.size) return plain(400, 'the old size is larger than the checkpoint')
  return await deps.db.transaction().execute(async (tx) => {
    const last = await lockWitnessedLog(tx, checkpoint.origin, deps.clock.now())
    if (last.size !== old) return { status: 409, type: 'text/x.tlog.size', body: `${last.size}\n` }
    if (!grew(last, checkpoint, proof)) return plain(422, 'the consistency proof does not hold')
    const now = deps.clock.now()
    const signer = await deps.keyring.witnessSigner(deps.name)
    const second = Math.floor(now.getTime() / 1000)
    const signature = await signer.sign(cosignedMessage(checkpoint.note.text, second))
    const line = cosignature(signer, second, signature)
    await saveWitnessedLog(tx, {
      origin: checkpoint.origin,
      size: checkpoint.size,
      rootHash: checkpoint.rootHash,
      note: formatNote(checkpoint.note.text, [...signaturesOf(checkpoint, keys), line]),
      cosignedAt: now,
    })
    return { status: 200, type: 'text/plain; charset=utf-8', body: signatureLine(line) }
  })
}

function signaturesOf({ note }: SignedCheckpoint, keys: readonly VerifierKey[]): NoteSignature[] {
  return note.signatures.filter(({ name, keyId }) => keys.some((key) => key.name === name && equalBytes(key.keyId, keyId)))
}

/** SHA-256 of nothing: the root of the empty tree (RFC 6962 §2.1). */
const emptyRoot = decodeBase64('47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=') ?? new Uint8Array()

function grew(
  last: { readonly size: number; readonly rootHash: Uint8Array },
  checkpoint: SignedCheckpoint,
  proof: readonly Uint8Array[],
): boolean {
  if (checkpoint.size === 0) return proof.length === 0 && equalBytes(checkpoint.rootHash, emptyRoot)
  if (last.size === 0) return proof.length === 0
  return isConsistent(last, checkpoint, proof, nodeHash)
}

type AddCheckpoint = { readonly old: number; readonly proof: readonly Uint8Array[]; readonly checkpoint: SignedCheckpoint }

function parseRequest(body: Uint8Array): AddCheckpoint | null {
  if (body.length > largestWitnessRequest) return null
  const text = Buffer.from(body).toString('utf8')
  const end = text.indexOf('\n\n')
  const [first = '', ...lines] = text.slice(0, Math.max(0, end)).split('\n')
  const old = first.startsWith('old ') ? parseCount(first.slice(4)) : null
  const proof = lines.map(decodeBase64)
  if (end < 0 || old === null || lines.length > 63 || proof.some((hash) => hash?.length !== 32)) return null
  // The octets themselves: a text that is not UTF-8 must not become one on the way.
  const checkpoint = parseCheckpoint(body.subarray(utf8(text.slice(0, end + 2)).length))
  return checkpoint === null ? null : { old, proof: proof.filter((hash) => hash !== null), checkpoint }
}
