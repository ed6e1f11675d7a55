/** In a real browser: what is kept survives its end, and what was cut off in the midst is kept whole or not at all. */
import { mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { stripTypeScriptTypes } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type BrowserContext, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { steeredChromium } from '../../../../testing/steered-chromium.ts'
// Its name alone is taken of it here; who changes it has this test run all the same (`npm test -- --changed`).
import { openOutboxStore, type OutboxStore, type WholeBatch } from './outbox-store.ts'

type Kept = typeof globalThis & { opened: OutboxStore; many: WholeBatch[] }

const profile = mkdtempSync(join(tmpdir(), 'probant-outbox-'))
let context: BrowserContext
let origin = ''
const server = createServer((request, response) => {
  if (request.url !== '/outbox-store.js') {
    const { name } = openOutboxStore
    const script = `import { ${name} } from '/outbox-store.js'; Object.assign(globalThis, { ${name} })`
    const page = `<!doctype html><title>Outbox</title><script type="module">${script}</script>`
    response.writeHead(200, { 'content-type': 'text/html' }).end(page)
    return
  }
  void readFile(new URL('outbox-store.ts', import.meta.url), 'utf8').then((source) =>
    response.writeHead(200, { 'content-type': 'text/javascript' }).end(stripTypeScriptTypes(source)),
  )
})
const start = () => chromium.launchPersistentContext(profile, steeredChromium())
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  context = await start()
})
afterAll(async () => {
  await context.close()
  server.close()
  rmSync(profile, { recursive: true, force: true })
})

/** A page with the store opened, and twenty batches of a thousand to be put into it. */
async function open(): Promise<Page> {
  const page = await context.newPage()
  await page.goto(origin)
  await page.evaluate(async () => {
    const { openOutboxStore } = globalThis as unknown as { openOutboxStore: () => Promise<OutboxStore> }
    const many = Array.from({ length: 20 }, (_, i): WholeBatch => {
      const documents = Array.from({ length: 1000 }, (__, j) => ({ sha256: `${i}.${j}`.padEnd(64, '0'), client_id: `${i}-${j}` }))
      const names = documents.map(({ client_id: id }) => `Annexe ${id}.pdf`)
      const made_at = new Date(2026, 10, 21, 12, 0, i).toISOString()
      const told = { user: 'me', delegation: null, made_at, agree: true, count: 1000, hidden: true, refused: null }
      return { id: `batch ${String(i)}`, ...told, documents, names }
    })
    Object.assign(globalThis, { opened: await openOutboxStore(), many })
  })
  return page
}

/** What is told, and whether what is sent is as it was put. */
const look = (page: Page) =>
  page.evaluate(async () => {
    const { opened, many } = globalThis as Kept
    const told = await opened.batches()
    const contents = await Promise.all(told.map(({ id }) => opened.contentOf(id)))
    const expected = many.map(({ documents, names }) => JSON.stringify([documents, names]))
    return {
      lasting: opened.lasting,
      told: told.map(({ id, count }) => `${id}: ${count}`),
      whole: contents.every((each, i) => JSON.stringify([each?.documents, each?.names]) === expected[i]),
    }
  })

test('R-14 what waits survives the page that is killed, and the browser: all of it, or nothing', async () => {
  const page = await open()
  expect(await look(page)).toEqual({ lasting: true, told: [], whole: true })
  // In the midst of writing.
  await page.evaluate(() => {
    const { opened, many } = globalThis as Kept
    void opened.put(many)
  })
  const crashed = page.waitForEvent('crash')
  void (await context.newCDPSession(page)).send('Page.crash').catch(() => undefined)
  await crashed
  await page.close()

  const next = await open()
  const after = await look(next)
  expect([0, 20]).toContain(after.told.length)
  expect(after.whole).toBe(true)

  // Kept, as it says: the browser itself ends, without being asked whether it is ready to.
  await next.evaluate(async () => {
    const { opened, many } = globalThis as Kept
    await opened.put(many)
    await opened.change({ ...(many[0] as WholeBatch), agree: false })
    await opened.remove('batch 19')
    await opened.keepNames([...Array(1234).keys()].map((i) => ({ id: `${i}`, user: i % 2 === 0 ? 'me' : 'you', name: `n${i}` })))
  })
  const closed = context.waitForEvent('close')
  void (await context.newCDPSession(next)).send('Browser.crash').catch(() => undefined)
  await closed
  context = await start()
  const last = await open()
  const found = await look(last)
  expect(found).toMatchObject({ lasting: true, whole: true })
  expect(found.told).toEqual(Array.from({ length: 19 }, (_, i) => `batch ${i}: 1000`))
  const others = await last.evaluate(async () => {
    const { opened } = globalThis as Kept
    const ids = ['0', '1', '1232', '1233', 'none']
    const before = [...(await opened.nameOf('me', ids)).values()]
    await opened.forgetNames('me')
    const agreed = (await opened.batches()).filter(({ agree }) => agree).length
    return { before, after: (await opened.nameOf('me', ids)).size, theirs: (await opened.nameOf('you', ids)).size, agreed }
  })
  expect(others).toEqual({ before: ['n0', 'n1232'], after: 0, theirs: 2, agreed: 18 })
})

test('what cannot be kept leaves nothing of itself, and says so', async () => {
  const page = await open()
  const found = await page.evaluate(async () => {
    const { opened, many } = globalThis as Kept
    const [first, second] = many.map((batch) => ({ ...batch, id: `new ${batch.id}` })) as [WholeBatch, WholeBatch]
    const count = (await opened.batches()).length
    // No browser can copy a function.
    const bad = { ...second, documents: [() => 1] } as unknown as WholeBatch
    const outcome = await opened.put([first, bad]).then(
      () => 'kept',
      () => 'refused',
    )
    return { outcome, more: (await opened.batches()).length - count, content: await opened.contentOf(first.id) }
  })
  expect(found).toEqual({ outcome: 'refused', more: 0, content: null })
})

test('what an earlier page kept in one piece is divided, and sent like the rest', async () => {
  const page = await context.newPage()
  await page.goto(origin)
  await page.evaluate(async () => {
    const settled = (request: IDBRequest) =>
      new Promise((resolve, reject) => {
        request.addEventListener('success', resolve)
        request.addEventListener('error', reject)
      })
    await settled(indexedDB.deleteDatabase('probant.documents'))
    const request = indexedDB.open('probant.documents', 1)
    request.addEventListener('upgradeneeded', () => {
      request.result.createObjectStore('batches', { keyPath: 'id' })
      request.result.createObjectStore('names', { keyPath: 'id' }).createIndex('user', 'user')
    })
    await settled(request)
    const told = { user: 'me', delegation: null, made_at: '2026-11-21T12:00:00Z', agree: true, hidden: true, refused: null }
    const documents = [{ sha256: 'a'.repeat(64) }, { sha256: 'b'.repeat(64) }]
    const batches = request.result.transaction('batches', 'readwrite').objectStore('batches')
    await settled(batches.put({ id: 'old', ...told, documents, names: ['a', 'b'] }))
    request.result.close()
  })
  const next = await open()
  const found = await next.evaluate(async () => {
    const { opened } = globalThis as Kept
    return { told: await opened.batches(), content: await opened.contentOf('old') }
  })
  expect(found.told).toMatchObject([{ id: 'old', count: 2, agree: true }])
  expect(found.told[0]).not.toHaveProperty('documents')
  expect(found.content).toMatchObject({ documents: [{ sha256: 'a'.repeat(64) }, { sha256: 'b'.repeat(64) }], names: ['a', 'b'] })
})
