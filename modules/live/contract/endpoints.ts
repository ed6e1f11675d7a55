/** Calls around a live session: who comes to it, and how. What its viewers and it say to each other is in `live.ts`. */
import { z } from 'zod'
import { endpoint } from '../../../kernel/endpoint.ts'

const byId = z.object({ id: z.uuid() })
const holder = ['evidence_token', 'user'] as const
const acting = { access: holder, delegable: 'create' } as const

/** Where viewers connect; the ticket goes into the first message, `hello`. */
export const livePath = '/live/'

const ticket = z.object({
  /** For one connection, within a minute. */
  ticket: z.string(),
  expires_at: z.iso.datetime(),
})

/** A holder's way in. The latest controller is the one whose input counts. */
export const liveTicket = endpoint({
  method: 'POST',
  path: '/evidences/:id/live_ticket/',
  summary: 'Get a ticket for one connection to the live session',
  ...acting,
  params: byId,
  body: z.object({ role: z.enum(['controller', 'watcher']).default('controller') }),
  response: ticket,
})

/**
 * To another device. The page enciphers the evidence's token with a key of its own, which stands only in the fragment of the
 * link that it shows as a QR code: neither reaches the server. Good for two minutes and one use; a new one ends the one before.
 */
export const createHandOff = endpoint({
  method: 'POST',
  path: '/evidences/:id/hand_off/',
  summary: 'Hand the draft over to another device',
  access: ['evidence_token'],
  params: byId,
  body: z.object({ sealed_token: z.string().regex(/^[A-Za-z0-9_-]{1,500}$/, 'invalid') }),
  response: z.object({ code: z.string(), expires_at: z.iso.datetime() }),
  status: 201,
})

const secretInPath = z.string().regex(/^[A-Za-z0-9_-]{43}$/)

export const takeHandOff = endpoint({
  method: 'POST',
  path: '/hand_off/:code/',
  summary: 'Take a draft over on this device',
  access: ['open'],
  params: z.object({ code: secretInPath }),
  response: z.object({ evidence_id: z.uuid(), sealed_token: z.string() }),
})

export const liveWitness = z.object({
  id: z.uuid(),
  label: z.string(),
  created_at: z.iso.datetime(),
  revoked_at: z.iso.datetime().nullable(),
})
export type LiveWitness = z.infer<typeof liveWitness>

/** Somebody who looks on and may countersign. The link is for him alone, and ends with the session. */
export const inviteWitness = endpoint({
  method: 'POST',
  path: '/evidences/:id/witnesses/',
  summary: 'Invite a witness to the live session',
  ...acting,
  params: byId,
  body: z.object({ label: z.string({ error: 'required' }).trim().min(1, 'required').max(80, 'too_long') }),
  response: z.object({ witness: liveWitness, token: z.string() }),
  status: 201,
})

export const listWitnesses = endpoint({
  method: 'GET',
  path: '/evidences/:id/witnesses/',
  summary: 'List the witnesses invited',
  access: holder,
  delegable: 'read',
  params: byId,
  response: z.object({ witnesses: z.array(liveWitness) }),
})

/** Ends the link, and the connections made with it. */
export const revokeWitness = endpoint({
  method: 'DELETE',
  path: '/evidences/:id/witnesses/:witness/',
  summary: 'End the link of a witness',
  ...acting,
  params: z.object({ id: z.uuid(), witness: z.uuid() }),
  response: liveWitness,
})

export const witnessTicket = endpoint({
  method: 'POST',
  path: '/live/witness_ticket/',
  summary: 'Get a ticket for one connection as a witness',
  access: ['open'],
  body: z.object({ token: secretInPath }),
  response: ticket.extend({ evidence_id: z.uuid(), label: z.string() }),
})
