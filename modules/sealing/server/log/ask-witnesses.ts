import { z } from 'zod'
import { toHex } from '../../../../kernel/bytes.ts'
import type { Clock } from '../../../../kernel/clock.ts'
import type { Db } from '../../../../platform/db/database.ts'
import { defineJob, handle, type JobHandler } from '../../../../platform/jobs/jobs.ts'
import type { Notes } from '../../../../platform/log/log.ts'
import {
  checkCosignature,
  parseCount,
  parseNote,
  parseSignatureLine,
  parseVerifierKey,
  type VerifierKey,
} from '../../../verification/server/index.ts'
import { exchange, type ExchangeRules } from '../connections/exchange.ts'
import { findCheckpoint, readCosignatures } from './log-store.ts'
import type { Checkpoint } from './public-log.ts'
import { consistencyProof } from './read-log.ts'
import { insertCosignature, listWitnesses, saveWitness, type WitnessOutcome } from './witness-store.ts'

export type AskedWitness = { /** Submission prefix. */ readonly url: string; readonly key: VerifierKey }

export type AskWitnessesDeps = {
  readonly db: Db
  readonly clock: Clock
  readonly log: Notes
  readonly witnesses: readonly AskedWitness[]
  readonly rules: Omit<ExchangeRules, 'signal'>
}

/** After each checkpoint, and every minute for those that were not reached. */
export const cosignLogJob = defineJob('sealing.cosign_log', z.object({}).loose())
export const cosignLogCrontab = `* * * * * ${cosignLogJob.name}`

export function cosignLogHandler(deps: AskWitnessesDeps): JobHandler {
  return handle(cosignLogJob, async (_payload, { signal }) => await askWitnesses(deps, signal))
}

/** @throws RangeError for a key that is not one of a witness: the setting is wrong. */
export function witnessesOf(settings: readonly { readonly url: string; readonly key: string }[]): AskedWitness[] {
  return settings.map(({ url, key }) => {
    const parsed = parseVerifierKey(key)
    if (parsed?.type !== 4) throw new RangeError(`${key} is not a verifier key of a witness (cosignature/v1)`)
    return { url, key: parsed }
  })
}

/**
 * Asks each witness that has not cosigned the newest checkpoint yet. Whatever it answers, nothing waits for it: what is not had
 * now is asked for again, and what is had is in the proofs made later.
 */
export async function askWitnesses(deps: AskWitnessesDeps, signal: AbortSignal): Promise<void> {
  const checkpoint = await findCheckpoint(deps.db)
  if (checkpoint === null) return
  const present = await readCosignatures(deps.db, [checkpoint.size])
  const known = new Map((await listWitnesses(deps.db)).map((each) => [each.name, each.size]))
  for (const witness of deps.witnesses) {
    const { name, keyId } = witness.key
    if (present.some((line) => line.name === name && toHex(line.keyId) === toHex(keyId))) continue
    const { answer, size } = await askOne(deps, witness, checkpoint, known.get(name) ?? 0, signal)
    if (answer === 'ahead' || answer === 'conflict')
      // Either it is wrong, or this log is not the one that it saw: an operator has to look.
      deps.log.warn({ witness: name, answer, size, own: checkpoint.size }, 'a witness saw another log than this one')
    await saveWitness(deps.db, { name, askedAt: deps.clock.now(), answer, size })
  }
}

async function askOne(
  deps: AskWitnessesDeps,
  { url, key }: AskedWitness,
  checkpoint: Checkpoint,
  knownSize: number,
  signal: AbortSignal,
): Promise<{ answer: WitnessOutcome; size: number }> {
  let old = Math.min(knownSize, checkpoint.size)
  // Once more when it says what it has: it may have cosigned what we never learned of.
  for (let turn = 0; turn < 2; turn += 1) {
    const reply = await send(deps, url, old, checkpoint, signal)
    if (reply === null) return { answer: 'unreachable', size: old }
    if (reply.status === 200) {
      const stored = await storeCosignature(deps, key, checkpoint, reply.body)
      return stored ? { answer: 'cosigned', size: checkpoint.size } : { answer: 'not_valid', size: old }
    }
    if (reply.status === 422) return { answer: 'conflict', size: old }
    const size = reply.status === 409 && reply.body.endsWith('\n') ? parseCount(reply.body.slice(0, -1)) : null
    if (size === null) return { answer: reply.status >= 500 ? 'unreachable' : 'refused', size: old }
    if (size > checkpoint.size) return { answer: 'ahead', size }
    old = size
  }
  return { answer: 'refused', size: old }
}

async function send(
  deps: AskWitnessesDeps,
  url: string,
  old: number,
  checkpoint: Checkpoint,
  signal: AbortSignal,
): Promise<{ status: number; body: string } | null> {
  const proof = await consistencyProof(deps.db, old, checkpoint.size)
  const lines = [`old ${old}`, ...proof.map((hash) => Buffer.from(hash).toString('base64'))]
  const body = Buffer.concat([Buffer.from(`${lines.join('\n')}\n\n`), checkpoint.note])
  try {
    const answer = await exchange(
      { url: `${url}/add-checkpoint`, method: 'POST', body, accept: 'text/plain, text/x.tlog.size', maxBytes: 1 << 16 },
      { ...deps.rules, signal },
    )
    return { status: answer.status, body: answer.body.toString('utf8') }
  } catch (error) {
    signal.throwIfAborted()
    deps.log.info({ err: error, url }, 'a witness could not be asked')
    return null
  }
}

/** Lines of keys that are not this witness's are ignored, as tlog-witness asks; its own must hold. */
async function storeCosignature(
  { db }: AskWitnessesDeps,
  key: VerifierKey,
  checkpoint: Checkpoint,
  body: string,
): Promise<boolean> {
  const lines = body.endsWith('\n') ? body.slice(0, -1).split('\n').slice(0, 16).map(parseSignatureLine) : []
  const own = lines.find((line) => line?.name === key.name && toHex(line.keyId) === toHex(key.keyId))
  const note = parseNote(checkpoint.note)
  if (own === undefined || own === null || note === null) return false
  const { outcome, second } = checkCosignature({ text: note.text, signatures: [own] }, key)
  if (outcome !== 'valid' || second === null) return false
  await insertCosignature(db, checkpoint.size, own, new Date(second * 1000))
  return true
}
