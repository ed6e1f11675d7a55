import { execFileSync } from 'node:child_process'
import { linkSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readJailFile } from './read-jail-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'probant-jail-file-'))
const at = (name: string) => join(folder, name)
afterAll(() => rmSync(folder, { recursive: true, force: true }))
writeFileSync(at('secret'), 'not for the browser')
const read = async (name: string, maxBytes = 100) => (await readJailFile(at(name), maxBytes)).toString()

test('a plain file is read whole', async () => {
  writeFileSync(at('keys'), 'CLIENT_RANDOM 00 11')
  expect(await read('keys')).toBe('CLIENT_RANDOM 00 11')
})

test('a link, symbolic or hard, is not followed', async () => {
  symlinkSync(at('secret'), at('symbolic'))
  linkSync(at('secret'), at('hard'))
  expect([await read('symbolic'), await read('hard')]).toEqual(['', ''])
})

test('a pipe does not hang, a folder and a missing file are empty, a giant is refused', async () => {
  execFileSync('mkfifo', [at('pipe')])
  writeFileSync(at('giant'), 'x'.repeat(101))
  expect([await read('pipe'), await read('.'), await read('missing'), await read('giant')]).toEqual(['', '', '', ''])
  expect((await readJailFile(null, 10)).length).toBe(0)
})
