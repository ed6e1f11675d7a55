import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFolderBlobStore } from '../../../platform/blobs/folder-blob-store.ts'
import type { Locale } from '../../../kernel/locale.ts'
import { withDatabase } from '../../../testing/database.ts'
import { sampleFiles, type SampleFacts } from '../contract/sample.ts'
import { sampleScope } from './make-sample.ts'
import { registerSampleFiles } from './sample-files.ts'
import { findSample, replaceSample } from './sample-store.ts'
import { tellSample } from './tell-sample.ts'

const database = withDatabase()
const folder = mkdtempSync(join(tmpdir(), 'probant-sample-'))
let app: FastifyInstance
beforeAll(async () => {
  app = Fastify()
  registerSampleFiles(app, { db: database.db, blobs: createFolderBlobStore(folder) })
  app.setErrorHandler(
    async (error, _, reply) => await reply.code((error as { kind?: string }).kind === 'not_found' ? 404 : 500).send(),
  )
  await app.ready()
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

const facts: SampleFacts = {
  page_url: 'https://probant.example/en/',
  captured_at: '2026-11-20T11:09:00.000Z',
  sealed_at: '2026-11-20T11:10:00.000Z',
  authority: 'Example',
  embedded: false,
  root: 'a'.repeat(64),
  software: 'probant/1',
  pieces: 20,
  quality: 'good',
  width: 1280,
  height: 800,
  package_bytes: 3,
}

test('P-02 nothing is answered with until there is a sample; then its files, the newest of each language alone, and parts of them', async () => {
  for (const file of ['facts.json', ...sampleFiles, 'other.zip', '..%2fsecret'])
    expect((await app.inject(`/sample/en/${file}`)).statusCode).toBe(404)
  expect(await tellSample(database.db, 'fr')).toBeNull()
  const scope = createFolderBlobStore(folder).scope(sampleScope)
  const replace = async (id: string, text: string, locale: Locale = 'fr') => {
    const files = await Promise.all(
      sampleFiles.map(async (name) => ({ name, ...(await scope.putBytes(Buffer.from(text + name))) })),
    )
    const sample = { id, locale, software: text, facts: { ...facts, software: text }, madeAt: new Date() }
    await database.db.transaction().execute(async (tx) => await replaceSample(tx, sample, files))
  }
  await replace('01932f6e-0000-7000-8000-000000000001', 'one ')
  await replace('01932f6e-0000-7000-8000-000000000002', 'two ')
  await replace('01932f6e-0000-7000-8000-000000000003', 'english ', 'en')
  expect((await findSample(database.db, 'en'))?.software).toBe('english ')
  expect((await findSample(database.db, 'fr'))?.software).toBe('two ')
  expect((await app.inject('/sample/fr/facts.json')).json()).toEqual({ ...facts, software: 'two ' })
  expect(await tellSample(database.db, 'fr')).toEqual({
    data: { ...facts, software: 'two ' },
    words: { __SAMPLE_WIDTH__: '1280', __SAMPLE_HEIGHT__: '800', __SAMPLE_SIZE__: '3\u00A0o' },
  })
  for (const [locale, text] of [
    ['fr', 'two '],
    ['en', 'english '],
  ] as const)
    for (const file of sampleFiles) expect((await app.inject(`/sample/${locale}/${file}`)).body).toBe(text + file)
  const part = await app.inject({ url: '/sample/fr/package.zip', headers: { range: 'bytes=0-2' } })
  expect([part.statusCode, part.body, part.headers['content-disposition']]).toEqual([
    206,
    'two',
    expect.stringContaining('attachment'),
  ])
  for (const path of ['/sample/fr/other.zip', '/sample/de/package.zip', '/sample/de/facts.json', '/sample/package.zip'])
    expect((await app.inject(path)).statusCode).toBe(404)
})
