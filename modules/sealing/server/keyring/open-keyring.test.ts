import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, readdir, readFile, rename, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { silentLog } from '../../../../platform/log/log.ts'
import { runTool, temporaryFolder } from '../../../../testing/keyring.ts'
import { openKeyring } from './open-keyring.ts'
import { pemOf, readCertificate } from '../certificates/read-certificate.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let dir: string
beforeEach(async () => {
  folder = await temporaryFolder()
  dir = join(folder.dir, 'keys')
})
afterEach(() => folder.remove())

const at = (iso: string) => ({ now: () => new Date(iso) })
const open = (iso = '2026-11-21T10:00:00Z') => openKeyring({ dir, clock: at(iso), log: silentLog })
const idsOf = async (keyring: Awaited<ReturnType<typeof open>>) => [
  (await keyring.signer('platform')).keyId,
  (await keyring.signer('time')).keyId,
]
const files = ['platform-ca.1.pem', 'platform-signing.1.pem', 'time-ca.1.pem', 'time-signing.1.pem']

test('first start makes two authorities and two signers, readable by their owner alone; the next start finds them', async () => {
  const ids = await idsOf(await open())
  expect((await readdir(dir)).toSorted()).toEqual(files)
  expect((await stat(dir)).mode & 0o777).toBe(0o700)
  for (const file of files) expect((await stat(join(dir, file))).mode & 0o777, file).toBe(0o600)
  expect(await idsOf(await open())).toEqual(ids)
})

test.each([
  ['platform', 'any'],
  ['time', 'timestampsign'],
] as const)('openssl verify accepts the chain of the %s signer under strict rules', async (purpose, openssl) => {
  const signer = await (await open()).signer(purpose)
  await writeFile(join(folder.dir, 'ca.pem'), pemOf(signer.chain))
  await writeFile(join(folder.dir, 'leaf.pem'), pemOf([signer.certificate]))
  const time = String(Date.parse('2026-11-21T10:00:00Z') / 1000)
  const verified = await runTool(
    folder.dir,
    'openssl',
    'verify',
    '-x509_strict',
    '-attime',
    time,
    '-purpose',
    openssl,
    '-CAfile',
    'ca.pem',
    'leaf.pem',
  )
  expect(verified).toEqual({ code: 0, output: 'leaf.pem: OK\n' })
  // The seal's certificate is not one for timestamps (RFC 3161 §2.3).
  const asTime = await runTool(
    folder.dir,
    'openssl',
    'verify',
    '-attime',
    time,
    '-purpose',
    'timestampsign',
    '-CAfile',
    'ca.pem',
    'leaf.pem',
  )
  expect(asTime.code === 0).toBe(purpose === 'time')
})

test('certificate fields follow RFC 5280', async () => {
  const keyring = await open()
  const text = async (der: Uint8Array) => {
    await writeFile(join(folder.dir, 'x.pem'), pemOf([der]))
    return (await runTool(folder.dir, 'openssl', 'x509', '-in', 'x.pem', '-noout', '-text')).output
  }
  const { certificate, chain } = await keyring.signer('platform')
  const leaf = await text(certificate)
  expect(leaf).toMatch(/Basic Constraints: critical\s+CA:FALSE/)
  expect(leaf).toMatch(/Key Usage: critical\s+Digital Signature, Non Repudiation\n/)
  expect(leaf).toContain('Not After : Nov 21 10:00:00 2029 GMT')
  const root = await text(chain[0] ?? new Uint8Array())
  expect(root).toMatch(/Basic Constraints: critical\s+CA:TRUE, pathlen:0/)
  expect(root).toMatch(/Key Usage: critical\s+Certificate Sign, CRL Sign\n/)
  const skid = /Subject Key Identifier:\s+([0-9A-F:]+)/.exec(root)?.[1]
  expect(/Authority Key Identifier:\s+([0-9A-F:]+)/.exec(leaf)?.[1]).toBe(skid)
  const serials = keyring.certificates().map((each) => readCertificate(each.certificate).serial)
  expect(new Set(serials).size).toBe(4)
  expect(serials.every((serial) => serial.length === 40)).toBe(true)
  expect(await text((await keyring.signer('time')).certificate)).toContain('CN = Probant embedded time authority (not qualified)')
})

test('a year before its end a signer gets a successor, and both stay published', async () => {
  const first = await idsOf(await open('2026-11-21T10:00:00Z'))
  expect(await idsOf(await open('2028-11-21T09:59:59Z'))).toEqual(first)
  let now = '2028-11-21T09:59:59Z'
  const running = await openKeyring({ dir, clock: { now: () => new Date(now) }, log: silentLog })
  now = '2028-11-21T10:00:01Z'
  const [second] = await Promise.all([idsOf(running), idsOf(running), idsOf(running)])
  expect(second.every((id, i) => id !== first[i])).toBe(true)
  expect(running.certificates().map((each) => each.keyId)).toEqual(expect.arrayContaining([...first, ...second]))
  expect(running.certificates()).toHaveLength(6)
  expect((await readdir(dir)).length).toBe(6)
})

test('an authority is succeeded before it would end earlier than what it issues', async () => {
  await open('2026-11-21T10:00:00Z')
  const keyring = await open('2044-01-01T00:00:00Z')
  const { certificate, chain } = await keyring.signer('platform')
  const issuer = readCertificate(chain[0] ?? new Uint8Array())
  expect(readCertificate(certificate).notAfter <= issuer.notAfter).toBe(true)
  expect((await readdir(dir)).filter((name) => name.startsWith('platform-ca'))).toHaveLength(2)
})

test('a clock before the certificates is refused', async () => {
  await open('2026-11-21T10:00:00Z')
  await expect(open('2026-11-20T10:00:00Z')).rejects.toThrow('sealing.clock_before_key')
})

test('a folder or key that others may read, or that is a link, is refused by name', async () => {
  await open()
  const file = join(dir, 'platform-signing.1.pem')
  await chmod(file, 0o640)
  await expect(open()).rejects.toMatchObject({ code: 'sealing.keyring_permissions', data: { path: file, mode: '0640' } })
  await chmod(file, 0o600)
  await chmod(dir, 0o755)
  await expect(open()).rejects.toMatchObject({ code: 'sealing.keyring_permissions', data: { path: dir, mode: '0755' } })
  await chmod(dir, 0o700)
  await rename(file, join(folder.dir, 'elsewhere.pem'))
  await symlink(join(folder.dir, 'elsewhere.pem'), file)
  await expect(open()).rejects.toMatchObject({ code: 'sealing.keyring_damaged', data: { path: file } })
})

test('a damaged key file is refused by name, wherever the damage is', async () => {
  await open()
  const file = join(dir, 'time-signing.1.pem')
  const whole = await readFile(file)
  for (let offset = 40; offset < whole.length - 40; offset += 97) {
    const damaged = Buffer.from(whole)
    damaged[offset] = damaged[offset] === 0x41 ? 0x42 : 0x41
    await writeFile(file, damaged)
    await expect(open(), `offset ${offset}`).rejects.toMatchObject({ code: 'sealing.keyring_damaged', data: { path: file } })
  }
  for (const content of [
    whole.subarray(0, 200),
    Buffer.alloc(0),
    await readFile(join(dir, 'platform-ca.1.pem')).then((ca) => Buffer.concat([ca.subarray(0, 241), whole.subarray(241)])),
  ]) {
    await writeFile(file, content)
    await expect(open()).rejects.toMatchObject({ code: 'sealing.keyring_damaged', data: { path: file } })
  }
})

test('leftovers of a killed process go after an hour; files of others stay', async () => {
  await open()
  const leftover = join(dir, `.new-${'0'.repeat(32)}`)
  await writeFile(leftover, 'half', { mode: 0o600 })
  await writeFile(join(dir, 'notes.txt'), 'of the operator')
  const written = (await stat(leftover)).mtimeMs / 1000
  await utimes(leftover, written, written - 3500)
  await open()
  expect(await readdir(dir)).toContain(`.new-${'0'.repeat(32)}`)
  await utimes(leftover, written, written - 3700)
  await open()
  expect(await readdir(dir)).toEqual([...files, 'notes.txt'].toSorted())
})

const module = JSON.stringify(fileURLToPath(new URL('./open-keyring.ts', import.meta.url)))

/** A process that opens the keyring and prints its key ids; `before` runs first in it. */
async function openElsewhere(target: string, before = ''): Promise<{ output: string; signal: NodeJS.Signals | null }> {
  const code = `
    ${before}
    const { openKeyring } = await import(${module})
    const keyring = await openKeyring({ dir: ${JSON.stringify(target)}, clock: { now: () => new Date('2026-11-21T10:00:00Z') }, log: { info() {}, warn() {} } })
    console.log((await keyring.signer('platform')).keyId, (await keyring.signer('time')).keyId)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
  const output = child.stdout.setEncoding('utf8').toArray()
  const [, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
  return { output: (await output).join(''), signal }
}

test('eight processes that start at once make one keyring', async () => {
  const outputs = (await Promise.all(Array.from({ length: 8 }, () => openElsewhere(dir)))).map((each) => each.output)
  expect(new Set(outputs).size).toBe(1)
  expect(outputs[0]).toMatch(/^platform-signing-1-[0-9a-f]{16} time-signing-1-[0-9a-f]{16}\n$/)
  expect((await readdir(dir)).toSorted()).toEqual(files)
})

/** Kills the process with SIGKILL in the place of its call number `call` of the file system; a write is done by half first. */
const killAt = (call: number) => `
  import fs from 'node:fs/promises'
  import { syncBuiltinESMExports } from 'node:module'
  let calls = 0
  const reached = () => ++calls === ${call}
  const kill = () => { process.kill(process.pid, 'SIGKILL'); return new Promise(() => {}) }
  for (const name of ['mkdir', 'readdir', 'lstat', 'stat', 'readFile', 'link', 'unlink', 'open']) {
    const original = fs[name]
    fs[name] = async (...args) => {
      if (reached()) return kill()
      const answer = await original(...args)
      if (name === 'open') {
        const writeFile = answer.writeFile.bind(answer), sync = answer.sync.bind(answer)
        answer.writeFile = async (text) => reached() ? (await writeFile(text.slice(0, text.length / 2)), kill()) : writeFile(text)
        answer.sync = async () => reached() ? kill() : sync()
      }
      return answer
    }
  }
  syncBuiltinESMExports()`

test('killed at any call of the file system during the first start, no half keyring is left', async () => {
  const counts = new Set<number>()
  let call = 0
  for (let killed = true; killed;) {
    call += 1
    const target = join(folder.dir, `killed-at-${call}`)
    const { signal, output } = await openElsewhere(target, killAt(call))
    killed = signal === 'SIGKILL'
    expect(output === '').toBe(killed)
    const kept = (await readdir(target).catch(() => [])).filter((name) => !name.startsWith('.new-'))
    counts.add(kept.length)
    const before = await Promise.all(kept.map((name) => readFile(join(target, name), 'utf8')))
    const keyring = await openKeyring({ dir: target, clock: at('2026-11-21T10:00:00Z'), log: silentLog })
    expect(await idsOf(keyring)).toEqual([
      expect.stringMatching(/^platform-signing-1-/),
      expect.stringMatching(/^time-signing-1-/),
    ])
    expect((await readdir(target)).filter((name) => !name.startsWith('.new-')).toSorted()).toEqual(files)
    expect(await Promise.all(kept.map((name) => readFile(join(target, name), 'utf8')))).toEqual(before)
  }
  // Every stage was met: nothing yet, and each of the four files in turn.
  expect([...counts].toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4])
  expect(call).toBeGreaterThan(30)
}, 120_000)
