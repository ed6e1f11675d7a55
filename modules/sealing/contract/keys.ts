import { z } from 'zod'
import { endpoint } from '../../../kernel/endpoint.ts'
import { publishedKeysAddress, publishedKeysSignatureAddress } from './key-addresses.ts'

const key = { id: z.string(), since: z.iso.datetime(), until: z.iso.datetime().nullable() }

/** What `/.well-known/probant-keys.json` holds: docs/package-format.md, seal/keys.json. */
export const publishedKeys = z.object({
  format: z.literal('probant-keys/1'),
  issued_at: z.iso.datetime(),
  certificates: z.array(
    z.object({ ...key, role: z.enum(['authority', 'signing']), purpose: z.enum(['platform', 'time']), subject: z.string() }),
  ),
  bitcoin: z.array(z.object(key)),
  nano: z.array(z.object(key)),
  log: z.array(z.object(key)),
  witnesses: z.array(z.object(key)),
})
export type PublishedKeysDocument = z.output<typeof publishedKeys>

/** The document as it was signed, octet for octet. */
export const getPublishedKeys = endpoint({
  method: 'GET',
  path: `${publishedKeysAddress}/`,
  summary: 'Read the keys that the platform publishes as its own',
  access: ['open'],
  response: 'stream',
})

/** CMS SignedData, DER, detached over the document. */
export const getPublishedKeysSignature = endpoint({
  method: 'GET',
  path: `${publishedKeysSignatureAddress}/`,
  summary: 'Read the signature of the published keys',
  access: ['open'],
  response: 'stream',
})
