import type { FastifyInstance } from 'fastify'
import { DomainError } from '../../../kernel/errors.ts'
import { isLocale } from '../../../kernel/locale.ts'
import type { BlobStore } from '../../../platform/blobs/blob-store.ts'
import type { Db } from '../../../platform/db/database.ts'
import { sendStream } from '../../../platform/http/answer/stream.ts'
import { sampleScope } from './make-sample.ts'
import { findSample, listSampleFiles } from './sample-store.ts'

const mediaTypes = { zip: 'application/zip', pdf: 'application/pdf', jpg: 'image/jpeg' } as const

/** `/sample/{en,fr}/facts.json` and the files of the sample of that language, for everybody; 404 until it was made. */
export function registerSampleFiles(app: FastifyInstance, { db, blobs }: { readonly db: Db; readonly blobs: BlobStore }): void {
  const config = { access: ['open'] }
  const schema = { hide: true }
  app.get<{ Params: { locale: string } }>('/sample/:locale/facts.json', { config, schema }, async (request, reply) => {
    const { locale } = request.params
    const sample = isLocale(locale) ? await findSample(db, locale) : null
    if (sample === null) throw new DomainError('not_found', 'http.not_found')
    return await reply.header('cache-control', 'no-cache').send(sample.facts)
  })
  app.get<{ Params: { locale: string; file: string } }>('/sample/:locale/:file', { config, schema }, async (request, reply) => {
    const { locale, file } = request.params
    const found = isLocale(locale) ? (await listSampleFiles(db, locale)).find(({ name }) => name === file) : undefined
    if (found === undefined) throw new DomainError('not_found', 'http.not_found')
    const { name } = found
    const mediaType = mediaTypes[name.slice(-3) as keyof typeof mediaTypes]
    return await sendStream(reply, request, {
      totalBytes: found.bytes,
      mediaType,
      disposition: name === 'package.zip' ? 'attachment' : 'inline',
      fileName: `probant-sample-${name}`,
      etag: found.sha256,
      captured: true,
      open: async (range) => await blobs.scope(sampleScope).open(found.sha256, range),
    })
  })
}
