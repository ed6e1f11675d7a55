/** In a real browser, which collects what nothing holds as often as it can. */
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { stripTypeScriptTypes } from 'node:module'
import type { AddressInfo } from 'node:net'
import { chromium, type Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chromiumPath } from '../../platform/browser/browser-flags.ts'
import type { readPieces } from './read-pieces.ts'

type Loaded = { readonly readPieces: typeof readPieces; readonly gc: () => void }

let browser: Browser
const file = randomBytes(40_000_003)
const server = createServer((request, response) => {
  const name = /^\/([a-z-]+\.ts)$/.exec(request.url ?? '')?.[1]
  if (request.url === '/file') response.end(file)
  else if (name === undefined) {
    const script = "import { readPieces } from './read-pieces.ts'; Object.assign(globalThis, { readPieces })"
    const page = `<!doctype html><title>Pieces</title><script type="module">${script}</script>`
    response.writeHead(200, { 'content-type': 'text/html' }).end(page)
  } else
    void readFile(new URL(name, import.meta.url), 'utf8').then((source) =>
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(stripTypeScriptTypes(source)),
    )
})
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  browser = await chromium.launch({
    executablePath: chromiumPath,
    args: ['--js-flags=--expose-gc', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  })
})
afterAll(async () => {
  await browser.close()
  server.close()
})

test('E-32 a file is read to its end, whatever the browser collects meanwhile', async () => {
  const page = await browser.newPage()
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  const found = await page.evaluate(async () => {
    const { readPieces: read, gc } = globalThis as unknown as Loaded
    const blob = await (await fetch('/file')).blob()
    const collecting = setInterval(() => gc())
    let at = 0
    let same = true
    const expected = new Uint8Array(await blob.arrayBuffer())
    await read(
      blob,
      blob.size,
      () => Promise.resolve(),
      (piece) => {
        same &&= [0, piece.length - 1].every((i) => piece[i] === expected[at + i])
        at += piece.length
      },
    )
    clearInterval(collecting)
    return { at, same, length: blob.size }
  })
  expect(found).toEqual({ at: file.length, same: true, length: file.length })
})
