import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { utf8 } from '../../../../kernel/bytes.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import type { Db } from '../../../../platform/db/database.ts'
import { route, type Route } from '../../../../platform/http/route.ts'
import { sendStream } from '../../../../platform/http/answer/stream.ts'
import { platformKeysOf, readPublishedKeys, type PlatformKeys } from '../../../verification/server/index.ts'
import { getPublishedKeys, getPublishedKeysSignature } from '../../contract/keys.ts'
import { findPublishedKeys, type SignedKeys } from './published-keys-store.ts'

/** The published keys, from a process that holds none: the worker signed them. */
export function publishedKeysRoutes({ db }: { db: Db }): Route[] {
  const serve = (endpoint: typeof getPublishedKeys, mediaType: string, bytesOf: (keys: SignedKeys) => Uint8Array): Route =>
    route(endpoint, async ({ reply, request }) => {
      const keys = await findPublishedKeys(db)
      if (keys === null) throw new DomainError('not_found', 'sealing.keys_not_published')
      const bytes = Buffer.from(bytesOf(keys))
      return await sendStream(reply, request, {
        totalBytes: bytes.length,
        mediaType,
        disposition: 'inline',
        etag: createHash('sha256').update(bytes).digest('hex'),
        captured: false,
        open: ({ start, end }) => Promise.resolve(Readable.from([bytes.subarray(start, end + 1)])),
      })
    })
  return [
    serve(getPublishedKeys, 'application/json', ({ document }) => utf8(document)),
    serve(getPublishedKeysSignature, 'application/pkcs7-signature', ({ signature }) => signature),
  ]
}

/** What the verifier of this installation compares with; nothing before the worker has published. */
export async function readPlatformKeys(db: Db): Promise<PlatformKeys> {
  const keys = await findPublishedKeys(db)
  return keys === null
    ? { bitcoin: [], nano: [], log: [], witnesses: [] }
    : platformKeysOf(readPublishedKeys(utf8(keys.document)))
}
