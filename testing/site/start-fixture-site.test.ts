import { connect } from 'node:http2'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PNG } from 'pngjs'
import { startFixtureSite, type FixtureSite } from './start-fixture-site.ts'
import { bigBody, bodyBlock, resourceCount } from './good-pages.ts'

let site: FixtureSite
beforeAll(async () => {
  site = await startFixtureSite()
})
afterAll(() => site.close())

test('serves a page of more than fifty resources, the same bytes each time', async () => {
  const first = await (await fetch(`${site.origin}/resources/`)).text()
  const second = await (await fetch(`${site.origin}/resources/`)).text()
  expect(first).toBe(second)
  expect(resourceCount).toBeGreaterThanOrEqual(50)
  expect(await (await fetch(`${site.origin}/asset/data-3.json`)).json()).toMatchObject({ text: 'Réponse n° 3' })
  expect(PNG.sync.read(Buffer.from(await (await fetch(`${site.origin}/asset/lazy-1.png`)).arrayBuffer())).width).toBe(200)
})

test('serves 60 MB whole', async () => {
  const response = await fetch(site.origin + bigBody.path)
  let bytes = 0
  let head = Buffer.alloc(0)
  for await (const part of response.body ?? []) {
    if (bytes === 0) head = Buffer.from(part.subarray(0, 1000))
    bytes += part.length
  }
  expect(bytes).toBe(bigBody.bytes)
  expect(head.equals(bodyBlock(0).subarray(0, 1000))).toBe(true)
})

test('serves HTTP/2 with a certificate of its own authority, and three wrong ones', async () => {
  const status = await new Promise<unknown>((resolve, reject) => {
    const client = connect(site.secure.valid.origin, { ca: site.certificates.authority })
    client.on('error', reject)
    const stream = client.request({ ':path': '/simple/' })
    stream.on('response', (headers) => {
      resolve(headers[':status'])
      client.destroy()
    })
  })
  expect(status).toBe(200)
  const errors = await Promise.all(
    [site.secure.selfSigned, site.secure.expired, site.secure.wrongHost].map(
      ({ origin }) =>
        new Promise<string>((resolve) => {
          const client = connect(origin, { ca: site.certificates.authority })
          client.on('error', (error: Error & { code?: string }) => resolve(error.code ?? ''))
          client.on('connect', () => resolve('accepted'))
        }),
    ),
  )
  expect(errors).toEqual(['DEPTH_ZERO_SELF_SIGNED_CERT', 'CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID'])
})
