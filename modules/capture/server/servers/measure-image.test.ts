import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { imageListPath, readImageList, writeImageList } from '../../domain/servers/image-files.ts'
import { createImageMeasurement } from './measure-image.ts'

let root: string
const put = (path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}
const digestAsStated = `sha256:${'a'.repeat(64)}`
const measureAt = (mounts = '') => {
  put('../mountinfo', mounts)
  return createImageMeasurement({
    digestAsStated,
    now: () => '2026-11-23T20:00:00.000Z',
    root,
    mounts: join(root, '../mountinfo'),
    mayRead: (path) => Promise.resolve(!path.endsWith('/etc/shadow')),
  })
}

beforeEach(() => {
  root = join(mkdtempSync(join(tmpdir(), 'probant-image-')), 'root')
  put('usr/bin/program', 'one')
  put('usr/lib/name with\\backslash', 'two')
  put('opt/probant/compiled/serve.js', 'three')
  symlinkSync('program', join(root, 'usr/bin/link'))
  const list = spawnSync('sh', ['-c', 'find . -type f -printf "%P\\0" | LC_ALL=C sort -z | xargs -0 sha256sum'], { cwd: root })
  put(imageListPath, list.stdout.toString())
})
afterEach(() => rmSync(dirname(root), { recursive: true }))

test('an image is what it lists, as sha256sum reads the list too', async () => {
  const text = readFileSync(join(root, imageListPath), 'utf8')
  expect(text).toContain('\\\\backslash')
  const sha256 = createHash('sha256').update(text).digest('hex')
  expect(await measureAt()()).toEqual({
    digest_as_stated: digestAsStated,
    list_sha256: sha256,
    files_sha256: sha256,
    files: 3,
    changed: [],
    added: [],
    measured_at: '2026-11-23T20:00:00.000Z',
  })
  expect(writeImageList(readImageList(text) ?? [])).toBe(text)
})

test('a file that was altered, one that is gone and one that was added are named; mounts, what nobody may read and what engines lay there are not', async () => {
  const measure = measureAt('36 35 98:0 / / rw - overlay o rw\n37 36 0:5 / /data\\040of\\040it rw - ext4 /dev/x rw\n')
  await measure()
  put('usr/bin/program', 'uno')
  rmSync(join(root, 'opt/probant/compiled/serve.js'))
  put('etc/ld.so.preload', '/tmp/evil.so')
  put('data of it/kept', 'ours')
  put('.dockerenv', '')
  put('etc/shadow', '*')
  const measured = await measure()
  expect(measured).toMatchObject({
    changed: ['opt/probant/compiled/serve.js', 'usr/bin/program'],
    added: ['etc/ld.so.preload'],
  })
  expect(measured?.files_sha256).not.toBe(measured?.list_sha256)
})

test('where there is no list, no image is measured; what is no list is refused', async () => {
  rmSync(join(root, imageListPath))
  expect(await measureAt()()).toBeNull()
  put(imageListPath, 'usr/bin/program\n')
  await expect(measureAt()()).rejects.toThrow('is no list')
  for (const text of ['', '\n', `${'a'.repeat(64)}  x`, `${'a'.repeat(63)}  x\n`]) expect(readImageList(text)).toBeNull()
})
