import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { WorkDone } from '../../kernel/work-done.ts'
import { isSolved, parts, type Sha256 } from '../../kernel/proof-of-work.ts'

/** A slow phone has time for the dearest. */
const lifetimeMs = 30 * 60_000

/** What a challenge says, under the installation's key: no process need remember that it was given. */
const challengePayload = z.object({
  id: z.uuid(),
  /** Keyed hash of the block of addresses that it was given to, and digest of what is asked for: it serves nobody and nothing else. */
  asker: z.string(),
  request: z.string(),
  /** Previews of the day before it: once there are more, it is too cheap. */
  previews: z.int(),
  hashes: z.int().positive(),
  expires: z.int(),
})
type ChallengePayload = z.infer<typeof challengePayload>

export type WorkFor = { readonly asker: Buffer; readonly request: string; readonly previews: number }
/** Why a proof was not taken. */
export type WorkFlaw = 'none' | 'not_ours' | 'expired' | 'other_request' | 'too_cheap' | 'wrong' | 'spent'

const sha256: Sha256 = (bytes) => createHash('sha256').update(bytes).digest()
const macOf = (secret: string, body: string) => createHmac('sha256', secret).update(`probant-work/1\n${body}`).digest()

/** Digest of what is asked for. @param asked JSON-safe; the same thing asked for again has the same digest */
export function requestDigest(asked: object): string {
  return createHash('sha256').update(JSON.stringify(asked)).digest('base64url')
}

export function newChallenge(secret: string, work: WorkFor & { readonly hashes: number }, now: Date): string {
  const payload: ChallengePayload = {
    id: randomUUID(),
    asker: work.asker.toString('base64url'),
    request: work.request,
    previews: work.previews,
    hashes: work.hashes,
    expires: now.getTime() + lifetimeMs,
  }
  const body = Buffer.from(JSON.stringify(payload)).toString('base64url')
  return `${body}.${macOf(secret, body).toString('base64url')}`
}

function readChallenge(secret: string, challenge: string): ChallengePayload | null {
  const [body = '', mac = '', more] = challenge.split('.')
  const given = Buffer.from(mac, 'base64url')
  const expected = macOf(secret, body)
  if (more !== undefined || given.length !== expected.length || !timingSafeEqual(given, expected)) return null
  // What we signed, we wrote.
  return challengePayload.parse(JSON.parse(Buffer.from(body, 'base64url').toString()))
}

/**
 * Whether work was done for this very request, by whom it was asked of.
 * @returns what to remember of it, so that it counts once, or why it does not count
 */
export function checkWork(
  secret: string,
  work: WorkFor,
  done: WorkDone | undefined,
  now: Date,
): { readonly id: string; readonly expiresAt: Date } | Exclude<WorkFlaw, 'spent'> {
  if (done === undefined) return 'none'
  const payload = readChallenge(secret, done.challenge)
  if (payload === null) return 'not_ours'
  if (payload.expires <= now.getTime()) return 'expired'
  if (payload.asker !== work.asker.toString('base64url') || payload.request !== work.request) return 'other_request'
  if (payload.previews < work.previews) return 'too_cheap'
  const puzzle = { seed: sha256(Buffer.from(done.challenge)), parts, hashes: payload.hashes / parts }
  if (!isSolved(puzzle, sha256, done.nonces)) return 'wrong'
  return { id: payload.id, expiresAt: new Date(payload.expires) }
}
