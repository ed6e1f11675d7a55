import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withDatabase } from '../../../../testing/database.ts'
import { createFolderBlobStore } from '../../../../platform/blobs/folder-blob-store.ts'
import { largestDocumentBytes } from '../../domain/identity-document.ts'
import { JailFailed } from '../render/run-jailed.ts'
import { renderFile } from '../render/render-file.ts'
import { pdf, png } from '../render/sample-files.test-data.ts'
import { openReview, renderAsIs, type Review } from '../review.test-data.ts'
import { createTurns } from './take-turns.ts'

const database = withDatabase()
const folder = mkdtempSync(join(tmpdir(), 'probant-upload-'))
const uploadsFolder = join(folder, 'uploads')
let review: Review

beforeAll(async () => {
  const render = async (file: Buffer) => (file.includes('as it is') ? await renderAsIs(file) : await renderFile(file))
  review = await openReview(database.db, createFolderBlobStore(join(folder, 'blobs')), { uploadsFolder, render })
})
afterAll(async () => {
  await review.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Files of that folder that a process holds open though they have no name. */
function namelessFiles(pid: number | 'self'): string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      const target = readlinkSync(`/proc/${pid}/fd/${fd}`)
      return target.startsWith(folder) && target.endsWith(' (deleted)') ? [target] : []
    } catch {
      return []
    }
  })
}
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5))
}

describe('an upload', () => {
  test('of a PDF and of a picture, through the jail: pages come back as pictures', async () => {
    const claire = await review.person('Acme', { profile: { user_type: 'legal' } })
    const articles = await review.uploaded(claire, 'articles_of_association', pdf({ pages: 2 }))
    expect(articles).toMatchObject({ pages: 2, media_type: 'application/pdf' })
    const second = await review.call('GET', `/identity_documents/${articles.id}/pages/2/`, claire)
    expect(second.headers['content-type']).toBe('image/jpeg')
    expect(second.bytes.subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]))
    expect((await review.call('GET', `/identity_documents/${articles.id}/pages/3/`, claire)).status).toBe(404)
    expect(await review.uploaded(claire, 'passport', png())).toMatchObject({ pages: 1, media_type: 'image/png' })
  })

  test('is told by its bytes: what it is said to be counts for nothing', async () => {
    const claire = await review.person('Dupont')
    const html = Buffer.from('<!doctype html><script>alert(1)</script>')
    for (const type of ['image/png', 'application/pdf', 'image/svg+xml', 'application/octet-stream'])
      expect((await review.upload(claire, 'passport', html, type)).code).toBe('review.document_type')
    expect((await review.upload(claire, 'passport', Buffer.alloc(0), 'image/png')).code).toBe('review.document_type')
    expect((await review.upload(claire, 'passport', png(), 'text/html')).code).toBe('http.unsupported_media_type')
    expect((await review.upload(claire, 'passport', png(), 'image/jpeg')).body).toMatchObject({ media_type: 'image/png' })
  })

  test('of more than 10 MB is refused, the limit named, whether its length is told or not', async () => {
    const claire = await review.person('Dupont')
    const large = Buffer.alloc(largestDocumentBytes + 1, 'as it is')
    const told = await review.upload(claire, 'passport', large)
    expect(told).toMatchObject({ status: 413, code: 'review.document_too_large' })
    expect(told.body['message']).toBe('The file is larger than 10 MB.')
    await review.server.listen({ host: '127.0.0.1', port: 0 })
    const { port } = review.server.server.address() as AddressInfo
    const headers = { authorization: `Bearer ${claire.token}`, 'content-type': 'application/octet-stream' }
    const path = '/identity_documents/?kind=passport'
    const flowing = request({
      port,
      host: '127.0.0.1',
      method: 'POST',
      path,
      headers: { ...headers, 'transfer-encoding': 'chunked' },
    })
    flowing.end(large)
    const [answer] = (await once(flowing, 'response')) as [NodeJS.ReadableStream & { statusCode: number }]
    expect(answer.statusCode).toBe(413)
    answer.resume()

    const broken = request({
      port,
      host: '127.0.0.1',
      method: 'POST',
      path,
      headers: { ...headers, 'content-length': '1000000' },
    })
    broken.on('error', () => undefined)
    broken.write(Buffer.alloc(100_000))
    await until(() => namelessFiles('self').length === 1)
    // It has no name while it arrives, and is gone with whoever sent it.
    expect(readdirSync(uploadsFolder)).toEqual([])
    broken.destroy()
    await until(() => namelessFiles('self').length === 0)
    expect((await review.verification(claire)).documents).toEqual([])
  })

  test('that whoever receives it is killed in the middle of leaves no file', async () => {
    const own = join(folder, 'killed')
    mkdirSync(own)
    const program = fileURLToPath(new URL('receive-file.test-program.ts', import.meta.url))
    const receiver = spawn(process.execPath, [program, own], { stdio: ['pipe', 'inherit', 'inherit'] })
    const ended = once(receiver, 'exit')
    receiver.stdin.on('error', () => undefined)
    receiver.stdin.write(Buffer.alloc(100_000))
    await until(() => namelessFiles(receiver.pid ?? 0).length === 1)
    receiver.kill('SIGKILL')
    await ended
    expect(readdirSync(own)).toEqual([])
  })

  test('waits for its turn; sixty an hour are enough, and the jail that fails is no fault of the file', async () => {
    const claire = await review.person('Dupont')
    await database.db
      .insertInto('identity_file')
      .values({ user_id: claire.id, touched_at: review.now(), uploads: 60, uploads_since: review.now() })
      .execute()
    const refused = await review.upload(claire, 'passport', Buffer.from('as it is'))
    expect(refused).toMatchObject({ status: 429, code: 'review.too_many_uploads', headers: { 'retry-after': '3600' } })
    review.later(1)
    expect((await review.upload(claire, 'passport', Buffer.from('as it is'))).status).toBe(201)
    const broken = await openReview(database.db, review.web.blobs, {
      uploadsFolder,
      render: async () => await Promise.reject(new JailFailed('no namespaces here')),
    })
    expect(await broken.upload(claire, 'passport', png())).toMatchObject({ status: 503, code: 'review.rendering_unavailable' })
    await broken.close()
  })
})

describe('turns', () => {
  test('few render at a time, the others wait in order, and one person has not all of them', async () => {
    const turns = createTurns({ perPerson: 2, rendering: 1, waiting: 1 })
    const first = Promise.withResolvers<string>()
    const order: string[] = []
    const run = async (name: string, until_: Promise<string>) =>
      await turns.toRender(async () => {
        order.push(name)
        return await until_
      })
    const one = run('one', first.promise)
    const two = run('two', Promise.resolve('2'))
    await expect(run('three', Promise.resolve('3'))).rejects.toMatchObject({ code: 'review.busy' })
    expect(order).toEqual(['one'])
    first.resolve('1')
    expect(await Promise.all([one, two])).toEqual(['1', '2'])
    expect(await run('four', Promise.resolve('4'))).toBe('4')

    const held = Promise.withResolvers<string>()
    const both = [turns.forPerson('a', async () => await held.promise), turns.forPerson('a', async () => await held.promise)]
    await expect(turns.forPerson('a', async () => await Promise.resolve(''))).rejects.toMatchObject({ code: 'review.busy' })
    expect(await turns.forPerson('b', async () => await Promise.resolve('b'))).toBe('b')
    held.resolve('a')
    await Promise.all(both)
    expect(await turns.forPerson('a', async () => await Promise.resolve('a'))).toBe('a')
  })
})
