import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BlobMissing, type BlobStore } from './blob-store.ts'
import { createFolderBlobStore, sweepLeftovers } from './folder-blob-store.ts'
import { createS3BlobStore } from './s3-blob-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'probant-blobs-'))
const server = new S3rver({
  port: 0,
  address: '127.0.0.1',
  silent: true,
  directory: join(folder, 's3'),
  configureBuckets: [{ name: 'evidence', configs: [] }],
})
let port = 0
beforeAll(async () => {
  ;({ port } = await server.run())
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

let number = 0
const drivers: Record<string, () => BlobStore> = {
  folder: () => createFolderBlobStore(join(folder, `store-${(number += 1)}`)),
  s3: () =>
    createS3BlobStore(
      {
        driver: 's3',
        endpoint: `http://127.0.0.1:${port}`,
        region: 'us-east-1',
        bucket: 'evidence',
        prefix: `p${(number += 1)}/`,
        accessKeyId: 'S3RVER',
        secretAccessKey: 'S3RVER',
        forcePathStyle: true,
      },
      join(folder, 'uploads'),
    ),
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
async function namesIn(store: BlobStore): Promise<string[]> {
  const names = []
  for await (const blob of store.list()) names.push(blob.sha256)
  return names.toSorted()
}
const maxBytes = 100 * 1024 * 1024

describe.each(Object.keys(drivers))('blob store: %s', (driver) => {
  const create = drivers[driver] as () => BlobStore

  test.each([0, 1, 65_537, 6 * 1024 * 1024 + 3])('keeps %d bytes under their hash', async (size) => {
    const store = create()
    const bytes = randomBytes(size)
    expect(await store.putBytes(bytes)).toEqual({ sha256: sha256(bytes), bytes: size })
    expect(sha256(await store.read(sha256(bytes), { maxBytes }))).toBe(sha256(bytes))
  })

  test('takes files and streams, and the same bytes once', async () => {
    const store = create()
    const bytes = randomBytes(300_000)
    const file = join(folder, `file-${driver}`)
    writeFileSync(file, bytes)
    async function* chunks() {
      yield bytes.subarray(0, 1000)
      yield bytes.subarray(1000)
    }
    const results = await Promise.all([store.putFile(file), store.putStream(chunks()), store.putBytes(bytes)])
    expect(new Set(results.map((result) => JSON.stringify(result)))).toEqual(
      new Set([JSON.stringify({ sha256: sha256(bytes), bytes: 300_000 })]),
    )
    expect(await namesIn(store)).toEqual([sha256(bytes)])
  })

  test('opens ranges, both ends included', async () => {
    const store = create()
    const { sha256: name } = await store.putBytes(Buffer.from('0123456789'))
    const part = async (start: number, end: number) => {
      let text = ''
      for await (const chunk of await store.open(name, { start, end })) text += String(chunk)
      return text
    }
    expect([await part(0, 0), await part(3, 5), await part(9, 9), await part(0, 9)]).toEqual(['0', '345', '9', '0123456789'])
    await expect(part(0, 10)).rejects.toThrow(RangeError)
    await expect(part(5, 4)).rejects.toThrow(RangeError)
    await expect(part(-1, 4)).rejects.toThrow(RangeError)
  })

  test('says what is missing, before any byte', async () => {
    const store = create()
    const name = sha256(randomBytes(9))
    await expect(store.open(name)).rejects.toThrow(BlobMissing)
    await expect(store.open(name, { start: 0, end: 1 })).rejects.toThrow(BlobMissing)
    await expect(store.read(name, { maxBytes })).rejects.toThrow(BlobMissing)
    expect(await store.has(name)).toBe(false)
    await store.remove(name)
  })

  test('reads no more than asked', async () => {
    const store = create()
    const { sha256: name } = await store.putBytes(randomBytes(11))
    await expect(store.read(name, { maxBytes: 10 })).rejects.toThrow(RangeError)
    expect(await store.read(name, { maxBytes: 11 })).toHaveLength(11)
  })

  test('removes, and a blob comes back when put again', async () => {
    const store = create()
    const bytes = randomBytes(50)
    const { sha256: name } = await store.putBytes(bytes)
    await store.remove(name)
    expect(await store.has(name)).toBe(false)
    await store.putBytes(bytes)
    expect(await store.has(name)).toBe(true)
  })

  test('keeps nothing of a stream that fails', async () => {
    const store = create()
    async function* failing() {
      yield Buffer.from('half')
      throw new Error('cut')
    }
    await expect(store.putStream(failing())).rejects.toThrow('cut')
    expect(await namesIn(store)).toEqual([])
  })

  test('keeps scopes apart, and clears one without touching another', async () => {
    const store = create()
    const bytes = randomBytes(20)
    const [a, b] = [store.scope('a-1'), store.scope('a-2')]
    const { sha256: name } = await a.putBytes(bytes)
    await b.putBytes(bytes)
    expect([await store.has(name), await namesIn(store)]).toEqual([false, []])
    await a.clear()
    await a.clear()
    expect([await a.has(name), await b.has(name)]).toEqual([false, true])
    expect(await namesIn(b)).toEqual([name])
    const named = new Set(await Array.fromAsync(store.scopes()))
    expect([named.has('a-2'), named.has('objects'), await Array.fromAsync(create().scopes())]).toEqual([true, false, []])
  })

  test.each(['../../etc/passwd', 'A'.repeat(64), '', `${'a'.repeat(63)}/`, '0'.repeat(65)])(
    'refuses the name %j',
    async (name) => {
      const store = create()
      await expect(store.open(name)).rejects.toThrow(RangeError)
      await expect(store.has(name)).rejects.toThrow(RangeError)
      await expect(store.remove(name)).rejects.toThrow(RangeError)
      expect(() => store.scope(`../${name}`)).toThrow(RangeError)
    },
  )
})

test('what a killed writer left is swept after a day, and nothing else', async () => {
  const root = join(folder, 'swept')
  const store = createFolderBlobStore(root)
  const kept = await store.scope('s').putBytes(randomBytes(5))
  await store.putBytes(randomBytes(5))
  const old = join(root, 'scopes/s/incoming/old')
  writeFileSync(old, 'x')
  writeFileSync(join(root, 'incoming/fresh'), 'x')
  utimesSync(old, new Date(0), new Date(0))
  expect(await sweepLeftovers(root, new Date())).toBe(1)
  expect(readdirSync(join(root, 'incoming'))).toEqual(['fresh'])
  expect(await store.scope('s').has(kept.sha256)).toBe(true)
})
