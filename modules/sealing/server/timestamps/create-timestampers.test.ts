import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../../../kernel/clock.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { temporaryFolder, temporaryKeyring } from '../../../../testing/keyring.ts'
import { startOutsideTsa } from '../../../../testing/tsa.ts'
import type { OutsideTsa, TsaBehaviour } from '../../../../testing/tsa.ts'
import { createTimestampers } from './create-timestampers.ts'
import type { TimestamperOptions } from './create-timestampers.ts'
import { obtainTimestamps } from './obtain-timestamps.ts'
import type { Keyring } from '../keyring/signer.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let keyring: Keyring
let first: OutsideTsa
let second: OutsideTsa
beforeAll(async () => {
  folder = await temporaryFolder()
  keyring = await temporaryKeyring(folder.dir)
  ;[first, second] = await Promise.all([
    startOutsideTsa({ name: 'First', key: 'rsa', essDigest: 'sha1' }),
    startOutsideTsa({ name: 'Second', key: 'ec' }),
  ])
})
afterAll(async () => {
  await Promise.all([first.close(), second.close()])
  await folder.remove()
})
beforeEach(() => {
  first.behave('honest')
  second.behave('honest')
})

const digest = new Uint8Array(32).fill(7)
const timestampers = (urls: string[], options: Partial<TimestamperOptions> = {}) =>
  createTimestampers({ urls, keyring, clock: systemClock, log: silentLog, timeoutMs: 5000, ...options })

test.each(['rsa', 'ec'])('an honest authority is believed (%s)', async (key) => {
  const tsa = key === 'rsa' ? first : second
  const [timestamper] = timestampers([tsa.url])
  const timestamp = await timestamper?.timestamp(digest)
  expect(timestamp).toMatchObject({ authority: key === 'rsa' ? 'First tsa' : 'Second tsa', embedded: false })
  expect(timestamp?.chain).toHaveLength(1)
  expect(timestamper?.name).toBe(tsa.url)
})

test('grantedWithMods is a grant: every field is compared anyway', async () => {
  first.behave('granted_with_mods')
  expect(await timestampers([first.url])[0]?.timestamp(digest)).toMatchObject({ authority: 'First tsa' })
})

test.each<[TsaBehaviour, string]>([
  ['wrong_nonce', 'nonce'],
  ['wrong_imprint', 'imprint'],
  ['altered_signature', 'signature'],
  ['expired_certificate', 'expired'],
  ['purpose_absent', 'purpose'],
  ['purpose_not_critical', 'purpose'],
  ['certificate_absent', 'signature'],
  ['root_absent', 'chain'],
  ['rejection', 'refused'],
  ['truncated', 'malformed'],
  ['trailing_byte', 'malformed'],
  ['garbage', 'malformed'],
  ['huge', 'too_large'],
  ['error_500', 'http_status'],
  ['redirect', 'redirect'],
  ['wrong_media_type', 'media_type'],
])('an answer with %s is refused as sealing.tsa_%s, and the next authority is asked', async (behaviour, reason) => {
  for (const tsa of [first, second]) {
    tsa.behave(behaviour)
    await expect(timestampers([tsa.url])[0]?.timestamp(digest)).rejects.toMatchObject({ code: `sealing.tsa_${reason}` })
    tsa.behave('honest')
  }
  first.behave(behaviour)
  const { timestamps, pending } = await obtainTimestamps(digest, timestampers([first.url, second.url]), { wanted: 1 })
  expect(timestamps).toMatchObject([{ authority: 'Second tsa', embedded: false }])
  expect(pending).toEqual([])
})

test.each<TsaBehaviour>(['slow', 'stalling_body'])('an authority that is %s is given up at its time-out', async (behaviour) => {
  first.behave(behaviour)
  await expect(timestampers([first.url], { timeoutMs: 100 })[0]?.timestamp(digest)).rejects.toMatchObject({
    code: 'sealing.tsa_timeout',
  })
})

test('a closed port is named', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  await expect(timestampers([`http://127.0.0.1:${port}/`])[0]?.timestamp(digest)).rejects.toMatchObject({
    code: 'sealing.tsa_unreachable',
    data: { reason: 'ECONNREFUSED' },
  })
})

test('the caller may give up: that is no failure of the authority', async () => {
  first.behave('slow')
  const abort = new AbortController()
  const answer = timestampers([first.url])[0]?.timestamp(digest, abort.signal)
  abort.abort(new Error('shutting down'))
  await expect(answer).rejects.toThrow('shutting down')
})

test('a clock that differs by more than the tolerance is refused, both ways', async () => {
  for (const shift of [-61_000 - 1000, 61_000 + 1000]) {
    const clock = { now: () => new Date(Date.now() + shift) }
    await expect(timestampers([first.url], { clock })[0]?.timestamp(digest)).rejects.toMatchObject({ code: 'sealing.tsa_clock' })
  }
})

test('two authorities give two tokens; two addresses of one authority give one', async () => {
  const both = await obtainTimestamps(digest, timestampers([first.url, second.url]), { wanted: 2 })
  expect(both.timestamps.map((each) => each.authority)).toEqual(['First tsa', 'Second tsa'])
  const same = await obtainTimestamps(digest, timestampers([first.url, `${first.url}?again`]), { wanted: 2 })
  expect(same.timestamps).toHaveLength(1)
  const third = await obtainTimestamps(digest, timestampers([first.url, `${first.url}?again`, second.url]), { wanted: 2 })
  expect(third.timestamps.map((each) => each.authority)).toEqual(['First tsa', 'Second tsa'])
})

test('when all are down the embedded authority stamps, and says whom to ask again', async () => {
  first.behave('error_500')
  second.behave('garbage')
  const { timestamps, pending } = await obtainTimestamps(digest, timestampers([first.url, second.url]), { wanted: 2 })
  expect(timestamps).toMatchObject([{ embedded: true, authority: 'Probant embedded time authority (not qualified)' }])
  expect(pending).toEqual([
    { authority: first.url, code: 'sealing.tsa_http_status' },
    { authority: second.url, code: 'sealing.tsa_malformed' },
  ])
})

test('when one of two is down its absence is pending', async () => {
  first.behave('error_500')
  const { timestamps, pending } = await obtainTimestamps(digest, timestampers([first.url, second.url]), { wanted: 2 })
  expect(timestamps).toHaveLength(1)
  expect(pending).toEqual([{ authority: first.url, code: 'sealing.tsa_http_status' }])
})

test('without outside authorities the embedded one is not a failure; without any there is no token', async () => {
  expect(await obtainTimestamps(digest, timestampers([]), { wanted: 2 })).toMatchObject({
    timestamps: [{ embedded: true }],
    pending: [],
  })
  await expect(obtainTimestamps(digest, [], { wanted: 1 })).rejects.toMatchObject({ code: 'sealing.no_timestamp' })
})

test('an authority that failed is left alone for a while, then asked again', async () => {
  let now = Date.now()
  const [timestamper] = timestampers([first.url], { clock: { now: () => new Date(now) }, restMs: 30_000 })
  first.behave('error_500')
  await expect(timestamper?.timestamp(digest)).rejects.toMatchObject({ code: 'sealing.tsa_http_status' })
  first.behave('honest')
  const before = first.requests()
  now += 29_999
  await expect(timestamper?.timestamp(digest)).rejects.toMatchObject({ code: 'sealing.tsa_http_status' })
  expect(first.requests()).toBe(before)
  now += 1
  expect(await timestamper?.timestamp(digest)).toMatchObject({ authority: 'First tsa' })
})

test('a pinned certificate must be in the chain', async () => {
  expect(await timestampers([`${first.url}#sha256=${first.rootSha256}`])[0]?.timestamp(digest)).toMatchObject({
    authority: 'First tsa',
  })
  await expect(timestampers([`${first.url}#sha256=${second.rootSha256}`])[0]?.timestamp(digest)).rejects.toMatchObject({
    code: 'sealing.tsa_pin',
  })
})

test('credentials of an address travel as Basic authentication and are not part of its name', async () => {
  let authorization: string | undefined
  const server = createServer((request, response) => {
    authorization = request.headers.authorization
    response.writeHead(401).end()
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const [timestamper] = timestampers([`http://user:p%40ss@127.0.0.1:${port}/tsr?token=x`])
  await expect(timestamper?.timestamp(digest)).rejects.toMatchObject({ code: 'sealing.tsa_http_status' })
  expect(Buffer.from(authorization?.replace('Basic ', '') ?? '', 'base64').toString()).toBe('user:p@ss')
  expect(timestamper?.name).toBe(`http://127.0.0.1:${port}/tsr`)
  await new Promise((resolve) => server.close(resolve))
})

test.each(['tsa.example', 'ftp://tsa.example/', 'http://', 'http://tsa.example/#sha256=12', 'http://tsa.example/#pin'])(
  'the address %s is refused at once',
  (url) => {
    expect(() => timestampers([url])).toThrow('sealing.tsa_address')
  },
)
