/**
 * RFC 3161 tokens taken while the session runs (design: capture §1.3, decision 0125). Whoever holds TLS keys could write
 * plaintext later; what was recorded, and each image, is therefore dated while it happens. Authorities are asked beside the
 * capture, one after the other, and never hold it up.
 */
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hashFile } from '../../../../platform/files/hash-file.ts'
import type { Clock } from '../../../../kernel/clock.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import {
  checkpointFormat,
  sessionRecordFormat,
  sessionRecordPath,
  writeSessionRecord,
  writeStatement,
  type CheckpointStatement,
  type TimelineHead,
} from '../../../verification/server/index.ts'
import type { Notary } from './notary.ts'
import type { CapturedFile, SessionTimestamp } from '../../domain/outcome/outcome.ts'
import type { ActionLog } from '../page/action-log.ts'
import type { RollingHash } from '../network/index.ts'

export type SessionTimestamps = {
  /**
   * Has the record dated as it is at this instant, with the images taken since the checkpoint before. Settles when they are
   * hashed; the authority answers later.
   */
  checkpoint(reason: SessionTimestamp['reason'], images?: readonly CapturedFile[]): Promise<void>
  /** Waits for the answers that are still out, no longer than some seconds. Call once, at the end. */
  collect(): Promise<{ readonly files: readonly CapturedFile[]; readonly timestamps: readonly SessionTimestamp[] }>
}

const defaultCollectMs = 5_000
/** A scenario may take more images than authorities want to be asked for: those after share the last checkpoints. */
const mostTokens = 32

type Token = Awaited<ReturnType<Notary['timestampDigest']>>
type Taken = {
  readonly statement: CheckpointStatement
  readonly sha256: string
  outcome: Token | { readonly error: string } | null
}

export function startSessionTimestamps(deps: {
  readonly notary: Notary
  readonly clock: Clock
  readonly actions: ActionLog
  readonly signal: AbortSignal
  readonly evidenceId: string
  readonly requestedUrl: string
  readonly workDir: string
  readonly rollingHash: () => RollingHash
  /** Of an interactive session: its timeline so far. */
  readonly timeline?: () => TimelineHead
  /** Package path of the recording. */
  readonly pcap: string
  /** Answers that are still out at the end get this long; 5 s unless told. */
  readonly collectMs?: number
}): SessionTimestamps {
  const { notary, actions } = deps
  const session = randomBytes(32).toString('hex')
  const taken: Taken[] = []
  const ending = new AbortController()
  const signal = AbortSignal.any([deps.signal, ending.signal])
  let stated: Promise<unknown> = Promise.resolve()
  let asked: Promise<unknown> = Promise.resolve()
  let waiting: { path: string; sha256: string }[] = []

  const ask = async (one: Taken): Promise<void> => {
    try {
      const digest = new Uint8Array(Buffer.from(one.sha256, 'hex'))
      signal.throwIfAborted()
      // Whether or not the notary minds the signal.
      const ended = new Promise<never>((_, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
      )
      one.outcome = await Promise.race([notary.timestampDigest(digest, signal), ended])
    } catch (error) {
      one.outcome = { error: ending.signal.aborted ? tooLate.error : codeOf(error) }
    }
  }

  const state = async (
    reason: SessionTimestamp['reason'],
    { sha256: rolling_hash, bytes, at }: RollingHash,
    images: readonly CapturedFile[],
    timeline: TimelineHead | undefined,
  ): Promise<void> => {
    for (const { path, file } of images) waiting.push({ path, sha256: await hashFile(file) })
    if (reason === 'screenshot' && taken.length >= mostTokens) return
    const previous = taken.at(-1)
    const statement: CheckpointStatement = {
      format: checkpointFormat,
      evidence_id: deps.evidenceId,
      requested_url: deps.requestedUrl,
      session,
      index: taken.length + 1,
      reason,
      at: new Date(at).toISOString(),
      bytes,
      rolling_hash,
      images: waiting,
      ...(timeline === undefined ? {} : { timeline }),
      previous: previous?.sha256 ?? null,
    }
    waiting = []
    const one: Taken = { statement, sha256: createHash('sha256').update(writeStatement(statement)).digest('hex'), outcome: null }
    taken.push(one)
    actions.add('timestamp_requested', { reason, statement_sha256: one.sha256, rolling_hash, bytes })
    // One at a time: the times of an authority then stand in the order of what they date.
    asked = asked.then(() => ask(one))
  }

  return {
    checkpoint: (reason, images = []) => {
      // Of this very instant, whatever is still being hashed.
      const now = deps.rollingHash()
      const timeline = deps.timeline?.()
      const done = stated.then(() => state(reason, now, images, timeline))
      stated = done.catch(() => undefined)
      return done
    },
    collect: async () => {
      await stated
      const timer = setTimeout(() => ending.abort(), deps.collectMs ?? defaultCollectMs)
      try {
        await asked
      } finally {
        clearTimeout(timer)
      }
      deps.signal.throwIfAborted()
      return await writePieces(taken, deps)
    },
  }
}

const tooLate = { error: 'sealing.session_too_late' } as const

/** Codes have words in the messages of the module that throws them. */
const codeOf = (error: unknown): string => (error instanceof DomainError ? error.code : 'sealing.no_timestamp')

async function writePieces(
  taken: readonly Taken[],
  { workDir, pcap }: { readonly workDir: string; readonly pcap: string },
): Promise<Awaited<ReturnType<SessionTimestamps['collect']>>> {
  const folder = join(workDir, 'timestamps')
  await mkdir(folder, { recursive: true })
  const files: CapturedFile[] = []
  const write = async (path: string, media_type: string, content: string | Uint8Array): Promise<string> => {
    const file = join(folder, path.slice(path.lastIndexOf('/') + 1))
    await writeFile(file, content)
    files.push({ path, role: 'session_timestamp', media_type, file })
    return path
  }
  // Tokens of one authority share the file of its chain.
  const chains = new Map<string, string>()
  const timestamps: SessionTimestamp[] = []
  for (const { statement, outcome } of taken) {
    const { reason, at, rolling_hash, bytes } = statement
    const asked = { reason, asked_at: at, rolling_hash, bytes }
    if (outcome === null || 'error' in outcome) {
      const error = outcome?.error ?? tooLate.error
      timestamps.push({ ...asked, path: null, ca_path: null, authority: null, gen_time: null, embedded: null, error })
      continue
    }
    const name = `${String(statement.index).padStart(2, '0')}-${reason}`
    const path = await write(`capture/timestamps/${name}.tsr`, 'application/timestamp-reply', outcome.token)
    let ca_path = chains.get(outcome.caPem)
    if (ca_path === undefined) {
      ca_path = await write(`capture/timestamps/ca-${chains.size + 1}.pem`, 'application/x-pem-file', outcome.caPem)
      chains.set(outcome.caPem, ca_path)
    }
    const { authority, genTime, embedded } = outcome
    timestamps.push({ ...asked, path, ca_path, authority, gen_time: genTime.toISOString(), embedded, error: null })
  }
  const record = writeSessionRecord({
    format: sessionRecordFormat,
    pcap,
    checkpoints: taken.map(({ statement, sha256 }, i) => ({
      statement,
      sha256,
      token: timestamps[i]?.path ?? null,
      ca: timestamps[i]?.ca_path ?? null,
      error: timestamps[i]?.error ?? null,
    })),
  })
  await write(sessionRecordPath, 'application/json', record)
  return { files, timestamps }
}
