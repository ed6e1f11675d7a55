/**
 * The log as static files, to the letter of c2sp.org/tlog-tiles, and the witness of c2sp.org/tlog-witness. Anybody may mirror
 * them: they hold nothing but salted commitments, hashes and signatures.
 */
import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { addressPrefix } from '../../../../platform/http/request/address-prefix.ts'
import type { Clock } from '../../../../kernel/clock.ts'
import type { Db } from '../../../../platform/db/database.ts'
import { createRateLimit } from '../../../../platform/http/request/rate-limit.ts'
import {
  formatEntryBundle,
  parseCount,
  parseTilePath,
  tileKey,
  tileWidth,
  type TilePath,
} from '../../../verification/server/index.ts'
import { checkpointSidecars } from '../anchor/anchor-proofs.ts'
import { findCheckpoint, readEntries, readTiles } from '../log/log-store.ts'
import { cosignedNote } from '../log/read-log.ts'
import { askWitness } from '../log/serve-witness.ts'
import { largestWitnessRequest } from '../log/witness.ts'
import { listWitnessedLogs } from '../log/witness-store.ts'

const text = 'text/plain; charset=utf-8'
const octets = 'application/octet-stream'
/** As long as RFC 9111 lets anybody keep a thing: a whole tile never changes. */
const forever = 'public, max-age=31536000, immutable'
/** A checkpoint is soon replaced by a newer one. */
const soon = 'public, max-age=5'

export function registerLogFiles(app: FastifyInstance, { db }: { db: Db }): void {
  const config = { access: ['open'] }
  const schema = { hide: true }

  app.get('/log/checkpoint', { config, schema }, async (request, reply) => {
    const checkpoint = await findCheckpoint(db)
    return await send(request, reply, checkpoint === null ? null : await cosignedNote(db, checkpoint), text, soon)
  })
  app.get('/log/tile/*', { config, schema }, async (request, reply) => {
    const { '*': rest = '' } = request.params as { '*'?: string }
    const path = parseTilePath(`tile/${rest}`)
    return await send(request, reply, path === null ? null : await readTile(db, path), octets, forever)
  })
  app.get('/log/checkpoints/:file', { config, schema }, async (request, reply) => {
    const { file = '' } = request.params as { file?: string }
    const [, digits = '', which] = /^(\d+)(?:\.(ots|tsr|2\.tsr))?$/.exec(file) ?? []
    const size = parseCount(digits)
    const checkpoint = size === null ? null : await findCheckpoint(db, size)
    if (checkpoint === null) return await send(request, reply, null, text, soon)
    if (which === undefined) return await send(request, reply, await cosignedNote(db, checkpoint), text, soon)
    const { ots, stamps } = await checkpointSidecars(db, checkpoint.size)
    const [bytes, type] =
      which === 'ots'
        ? [ots, 'application/vnd.opentimestamps.v1']
        : [stamps[which === 'tsr' ? 0 : 1]?.response ?? null, 'application/timestamp-reply']
    return await send(request, reply, bytes, type, soon)
  })
}

/** Of complete tiles and of those that the tree has so far; anything wider is not there yet. */
async function readTile(db: Db, { level, number, width }: TilePath): Promise<Uint8Array | null> {
  const first = number * tileWidth
  // Beyond what a bigint index, or our tree, ever has.
  if (!Number.isSafeInteger(first + tileWidth) || (level !== 'entries' && level > 6)) return null
  if (level === 'entries') {
    const entries = await readEntries(db, first, width)
    return entries.length === width ? formatEntryBundle(entries) : null
  }
  const tile = { level, number, width }
  const hashes = (await readTiles(db, [tile])).get(tileKey(tile))
  return hashes?.length === width * 32 ? hashes : null
}

async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  bytes: Uint8Array | null,
  type: string,
  caching: string,
): Promise<FastifyReply> {
  // Read by pages of any origin: mirrors, monitors and verifiers.
  reply.headers({ 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' })
  if (bytes === null) return await reply.code(404).header('cache-control', 'no-store').type(text).send('not found\n')
  const etag = `"${createHash('sha256').update(bytes).digest('base64url')}"`
  reply.headers({ 'cache-control': caching, etag })
  const asked = request.headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  if (asked !== undefined && (asked.includes(etag) || asked.includes('*'))) return await reply.code(304).send()
  return await reply.type(type).send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
}

/** Logs ask after each of their checkpoints; more than this from one network is none. */
const asked = { burst: 120, perMinute: 120 }

/** @param deps.folder where the process that holds the key listens (`serveWitness`) */
export function registerWitness(app: FastifyInstance, { db, clock, folder }: { db: Db; clock: Clock; folder: string }): void {
  const config = { access: ['open'] }
  const limit = createRateLimit(asked)
  app.get('/witness/:hash/checkpoint', { config, schema: { hide: true } }, async (request, reply) => {
    const { hash } = request.params as { hash?: string }
    const found = (await listWitnessedLogs(db)).find(({ origin }) => createHash('sha256').update(origin).digest('hex') === hash)
    return await send(request, reply, found?.note ?? null, text, soon)
  })
  // A scope of its own: its bodies are octets, whatever they are called.
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: largestWitnessRequest }, (_request, body, done) => {
      done(null, body)
    })
    scope.post('/witness/add-checkpoint', { config, schema: { hide: true } }, async (request, reply) => {
      limit.take(addressPrefix(request.ip), clock.now().getTime())
      const answer = await askWitness(folder, Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0))
      return await reply
        .code(answer.status)
        .headers({ 'content-type': answer.type, 'cache-control': 'no-store' })
        .send(answer.body)
    })
    await Promise.resolve()
  })
}
