import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { once } from 'node:events'
import { pipeline } from 'node:stream/promises'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { runTool } from '../../testing/keyring.ts'
import { zipStream, type ZipFile } from './stream-zip.ts'

const bounds = { stalledMs: 60_000, longestMs: 60_000 }

test('more files than a plain directory counts, read by a reader that is not ours', { timeout: 60_000 }, async () => {
  async function* files(): AsyncGenerator<ZipFile> {
    for (let i = 0; i < 66_000; i += 1) yield await Promise.resolve({ path: `folder/${String(i)}`, data: Buffer.from(String(i)) })
    yield { path: 'empty', data: new Uint8Array() }
  }
  const folder = await mkdtemp(join(tmpdir(), 'stream-zip-'))
  try {
    await pipeline(zipStream(files(), bounds), createWriteStream(join(folder, 'all.zip')))
    const script = `
import sys, zipfile
z = zipfile.ZipFile(sys.argv[1])
assert z.testzip() is None
names = z.namelist()
print(len(names), len(set(names)), z.read('folder/65999').decode(), len(z.read('empty')))`
    expect((await runTool(folder, 'python3', '-c', script, 'all.zip')).output.trim()).toBe('66001 66001 65999 0')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test('what breaks off is no archive; who leaves ends what makes the files, and so does who takes nothing', async () => {
  let ended = 0
  async function* files(fails: boolean): AsyncGenerator<ZipFile> {
    try {
      for (let i = 0; ; i += 1) {
        if (fails && i === 3) throw new Error('the store is gone')
        yield await turn({ path: String(i), data: Buffer.alloc(100_000) })
      }
    } finally {
      ended += 1
    }
  }
  await expect(zipStream(files(true), bounds).toArray()).rejects.toThrow('the store is gone')
  const left = zipStream(files(false), bounds)
  await once(left, 'readable')
  left.destroy()
  const stalled = zipStream(files(false), { ...bounds, stalledMs: 20 })
  await once(stalled, 'readable')
  const [why] = (await once(stalled, 'error')) as [Error]
  expect(why.message).toContain('nothing was read')
  const slow = zipStream(files(false), { ...bounds, longestMs: 20 }).resume()
  expect(((await once(slow, 'error')) as [Error])[0].message).toContain('too long')
  await expect.poll(() => ended).toBe(4)
})
