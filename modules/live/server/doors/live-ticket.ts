import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { viewerGround, type ViewerGround } from './hold-viewer.ts'
import type { LiveRole } from '../../contract/live.ts'

/**
 * Opens one connection to one session within a minute: what a holder of the draft, or an invited witness, was given for it.
 * It stands in no address and no log, and is worth nothing once used. Signed with the installation's secret: any `web` process
 * can read what another has issued. That it is used once is seen to by the session's own process.
 */
export type LiveTicket = {
  readonly evidenceId: string
  readonly role: LiveRole
  /** By what its holder takes part: asked when it is used, and as long as the connection lasts. */
  readonly ground: ViewerGround
  readonly nonce: string
  /** Unix milliseconds. */
  readonly until: number
}

export const ticketLifetimeMs = 60_000
const longestTicket = 600

const content = z.tuple([z.uuid(), z.enum(['controller', 'watcher', 'witness']), viewerGround, z.string().length(22), z.int()])

function signatureOf(secret: string, body: string): Buffer {
  return createHmac('sha256', secret).update(`probant-live-ticket/1\n${body}`).digest()
}

export function issueTicket(
  secret: string,
  now: Date,
  of: Pick<LiveTicket, 'evidenceId' | 'role' | 'ground'>,
): { readonly ticket: string; readonly expiresAt: Date } {
  const expiresAt = new Date(now.getTime() + ticketLifetimeMs)
  const parts: z.infer<typeof content> = [
    of.evidenceId,
    of.role,
    of.ground,
    randomBytes(16).toString('base64url'),
    expiresAt.getTime(),
  ]
  const body = Buffer.from(JSON.stringify(parts)).toString('base64url')
  return { ticket: `${body}.${signatureOf(secret, body).toString('base64url')}`, expiresAt }
}

/** @returns null for one that this installation did not issue, or whose time is over */
export function readTicket(secret: string, now: Date, ticket: string): LiveTicket | null {
  const [body = '', signature = '', ...rest] = ticket.length > longestTicket ? [] : ticket.split('.')
  const given = Buffer.from(signature, 'base64url')
  const wanted = signatureOf(secret, body)
  if (rest.length > 0 || given.length !== wanted.length || !timingSafeEqual(given, wanted)) return null
  const parsed = content.safeParse(JSON.parse(Buffer.from(body, 'base64url').toString('utf8')))
  if (!parsed.success) return null
  const [evidenceId, role, ground, nonce, until] = parsed.data
  return now.getTime() < until ? { evidenceId, role, ground, nonce, until } : null
}
