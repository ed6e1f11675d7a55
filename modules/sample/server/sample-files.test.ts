import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFolderBlobStore } from '../../../platform/blobs/folder-blob-store.ts'
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

test('P-02 nothing is answered with until there is a sample; then its files, the newest alone, and parts of them', async () => {
  for (const file of ['facts.json', ...sampleFiles, 'other.zip', '..%2fsecret'])
    expect((await app.inject(`/sample/${file}`)).statusCode).toBe(404)
  expect(await tellSample(database.db, 'en')).toBeNull()
  const scope = createFolderBlobStore(folder).scope(sampleScope)
  const replace = async (id: string, text: string) => {
    const files = await Promise.all(
      sampleFiles.map(async (name) => ({ name, ...(await scope.putBytes(Buffer.from(text + name))) })),
    )
    const sample = { id, software: text, facts: { ...facts, software: text }, madeAt: new Date() }
    await database.db.transaction().execute(async (tx) => await replaceSample(tx, sample, files))
  }
  await replace('01932f6e-0000-7000-8000-000000000001', 'one ')
  await replace('01932f6e-0000-7000-8000-000000000002', 'two ')
  expect((await findSample(database.db))?.software).toBe('two ')
  expect((await app.inject('/sample/facts.json')).json()).toEqual({ ...facts, software: 'two ' })
  expect(await tellSample(database.db, 'fr')).toEqual({
    data: { ...facts, software: 'two ' },
    words: { __SAMPLE_WIDTH__: '1280', __SAMPLE_HEIGHT__: '800', __SAMPLE_SIZE__: '3\u00A0o' },
  })
  for (const file of sampleFiles) expect((await app.inject(`/sample/${file}`)).body).toBe(`two ${file}`)
  const part = await app.inject({ url: '/sample/package.zip', headers: { range: 'bytes=0-2' } })
  expect([part.statusCode, part.body, part.headers['content-disposition']]).toEqual([
    206,
    'two',
    expect.stringContaining('attachment'),
  ])
  expect((await app.inject('/sample/other.zip')).statusCode).toBe(404)
})
