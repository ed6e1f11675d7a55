/** What a `web` process and the door of a capture process agree on. */
import { constants } from 'node:crypto'
import { z } from 'zod'
import { errorKinds } from '../../../../kernel/errors.ts'
import { viewerGround } from './hold-viewer.ts'
import { liveRoles } from '../../contract/live.ts'

/** Forward secret, authenticated by the key alone (RFC 4279, RFC 7905). Node speaks pre-shared keys up to TLS 1.2. */
export const keyedByPsk = {
  ciphers: 'ECDHE-PSK-CHACHA20-POLY1305',
  minVersion: 'TLSv1.2',
  maxVersion: 'TLSv1.2',
  // Each connection shows the key itself: nothing is resumed.
  secureOptions: constants.SSL_OP_NO_TICKET,
} as const

export const viewerPath = '/viewer/'
export const callPath = '/call/'
/** Lower case, as Node gives it. */
export const viewerHeader = 'x-probant-viewer'

/**
 * Longest message of a viewer, in bytes. A paste of 1,000,000 characters takes up to three bytes each in UTF-8; what JSON
 * escapes besides is small in any real text.
 */
export const longestViewerMessage = 3_300_000
/** Longest message of either side. */
export const longestSessionMessage = 8 * 1024 * 1024
/** Bytes of an upload come in pieces of 64 KiB, behind a head of seven octets. */
export const longestUploadPiece = 64 * 1024 + 7

const viewerWanted = z.object({
  id: z.string().min(1).max(64),
  role: z.enum(liveRoles),
  witness: z.object({ id: z.string().max(64), label: z.string().max(80) }).nullable(),
  wants: z.object({ video: z.enum(['h264', 'jpeg']).nullable(), audio: z.boolean(), touch: z.boolean() }),
  /** By what he takes part: the session's process asks for itself whether that holds. */
  ground: viewerGround,
  /** Of the ticket, which is good for one connection. */
  nonce: z.string().min(1).max(64),
})
export type ViewerWanted = z.infer<typeof viewerWanted>

export function writeViewerHeader(wanted: ViewerWanted): string {
  return Buffer.from(JSON.stringify(wanted)).toString('base64url')
}

export function readViewerHeader(header: string | readonly string[] | undefined): ViewerWanted | null {
  if (typeof header !== 'string') return null
  try {
    const parsed = viewerWanted.safeParse(JSON.parse(Buffer.from(header, 'base64url').toString('utf8')))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}

/** The calls of the specification. */
export const sessionCall = z.discriminatedUnion('name', [
  z.object({ name: z.enum(['viewport_screenshot', 'full_page_screenshot', 'quit_interactivity']) }),
  z.object({ name: z.literal('paste'), text: z.string().min(1).max(1_000_000), secret: z.boolean() }),
])
export type SessionCall = z.infer<typeof sessionCall>

/** `null`: done. */
export const sessionAnswer = z
  .object({
    kind: z.enum(errorKinds),
    code: z.string(),
    data: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  })
  .nullable()
export type SessionAnswer = z.infer<typeof sessionAnswer>
