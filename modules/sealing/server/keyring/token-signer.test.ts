import { execFileSync } from 'node:child_process'
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../../kernel/clock.ts'
import { runTool, temporaryFolder, writeFiles } from '../../../../testing/keyring.ts'
import { pemOrNone, verifyRootSignature } from '../../../verification/domain/package/seal/verify-seal.ts'
import { verifyPlatformKeys } from '../../../verification/domain/package/platform-keys/verify-platform-keys.ts'
import en from '../../messages/en.json' with { type: 'json' }
import fr from '../../messages/fr.json' with { type: 'json' }
import { createTimestampers } from '../timestamps/create-timestampers.ts'
import { openKeyring } from './open-keyring.ts'
import { sealPieces } from '../seal/seal-pieces.ts'
import type { Keyring } from './signer.ts'
import type { TokenConfig } from './run-pkcs11-tool.ts'

/** SoftHSM 2: a token in files, behind the interface that cards and security modules have. */
const module = '/usr/lib/softhsm/libsofthsm2.so'
const said: string[] = []
const log = {
  info: (...all: unknown[]) => void said.push(JSON.stringify(all)),
  warn: (...all: unknown[]) => void said.push(JSON.stringify(all)),
}
let folder: Awaited<ReturnType<typeof temporaryFolder>>
let token: TokenConfig
const before = process.env['SOFTHSM2_CONF']

const tool = (...args: string[]) =>
  execFileSync('pkcs11-tool', ['--module', module, '--login', '--pin', '482951', ...args], { stdio: 'pipe' })

beforeAll(async () => {
  folder = await temporaryFolder()
  await mkdir(join(folder.dir, 'tokens'))
  const conf = join(folder.dir, 'softhsm2.conf')
  await writeFile(conf, `directories.tokendir = ${join(folder.dir, 'tokens')}\nobjectstore.backend = file\nlog.level = ERROR\n`)
  process.env['SOFTHSM2_CONF'] = conf
  execFileSync('softhsm2-util', ['--init-token', '--free', '--label', 'probant', '--so-pin', '77777777', '--pin', '482951'], {
    stdio: 'pipe',
  })
  tool('--token-label', 'probant', '--keypairgen', '--key-type', 'EC:prime256v1', '--label', 'seal', '--id', '01')
  tool('--token-label', 'probant', '--keypairgen', '--key-type', 'EC:secp384r1', '--label', 'other-curve', '--id', '02')
  const pinFile = join(folder.dir, 'pin')
  await writeFile(pinFile, '482951\n', { mode: 0o600 })
  token = { module, token: 'probant', key: 'seal', pinFile, certificateFile: null }
})
afterAll(async () => {
  if (before === undefined) delete process.env['SOFTHSM2_CONF']
  else process.env['SOFTHSM2_CONF'] = before
  await folder.remove()
})

const open = (name: string, config: TokenConfig | undefined = token) =>
  openKeyring({ dir: join(folder.dir, name), clock: systemClock, log, token: config })

async function sealWith(keyring: Keyring, name: string): Promise<string> {
  const subject = {
    evidence_id: '0190a0b0-0000-7000-8000-000000000000',
    kind: 'static',
    requested_url: 'https://example.org/',
    final_url: 'https://example.org/',
    started_at: '2026-11-21T10:00:00.000Z',
    finished_at: '2026-11-21T10:00:09.000Z',
    software: 'probant/0.1.0',
  } as const
  const pieces = [{ path: 'capture/a', role: 'dom', media_type: 'text/html', bytes: 1, sha256: 'ab'.repeat(32) }] as const
  const timestampers = createTimestampers({ urls: [], keyring, clock: systemClock, log })
  const sealed = await sealPieces({ subject, pieces }, { keyring, timestampers, clock: systemClock })
  const dir = join(folder.dir, name)
  await writeFiles(dir, sealed.files)
  const small = new Map(sealed.files.map(({ path, bytes }) => [path, bytes]))
  const platform = pemOrNone(small.get('seal/platform-ca.pem'))
  const root = small.get('seal/root.bin') ?? new Uint8Array()
  const signature = verifyRootSignature(small.get('seal/signature.p7s'), root, platform, new Date())
  expect(signature.check.status).toBe('passed')
  const { checks } = verifyPlatformKeys(small, { root, signature: signature.facts }, platform, new Date())
  expect(checks.map(({ id, status }) => `${id} ${status}`)).toEqual([
    'platform_keys passed',
    'message_signature passed',
    'message_signature passed',
  ])
  return dir
}
const opensslVerify = (dir: string) =>
  runTool(
    dir, 'openssl', 'cms', '-verify', '-binary', '-inform', 'DER', '-in', 'seal/signature.p7s', '-content', 'seal/root.bin',
    '-CAfile', 'seal/platform-ca.pem', '-purpose', 'any', '-out', '/dev/null',
  ) // prettier-ignore

test('a seal is signed in the token, under a certificate of the platform, and openssl verifies it', async () => {
  const keyring = await open('own')
  const dir = await sealWith(keyring, 'sealed-own')
  expect((await opensslVerify(dir)).output).toMatch(/CMS Verification successful/i)
  const { keyId } = await keyring.signer('platform')
  expect(keyId).toMatch(/^platform-token-1-[0-9a-f]{16}$/)
  // No key that seals is in a file, and the certificate is kept: the next start does not issue another.
  expect((await readdir(join(folder.dir, 'own'))).filter((name) => name.startsWith('platform-'))).toEqual([
    'platform-ca.1.pem',
    'platform-token.1.pem',
  ])
  expect((await (await open('own')).signer('platform')).keyId).toBe(keyId)
  await expect(keyring.rotate('platform-signing')).rejects.toThrow('sealing.token_rotate')
})

test('a certificate of another authority is used as given, and its root is published', async () => {
  const dir = join(folder.dir, 'outside')
  await mkdir(dir)
  tool('--token-label', 'probant', '--read-object', '--type', 'pubkey', '--label', 'seal', '--output-file', join(dir, 'pub.der'))
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: dir, stdio: 'pipe' })
  openssl('req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '3650', '-subj', '/CN=Outside authority') // prettier-ignore
  openssl('pkey', '-pubin', '-inform', 'DER', '-in', 'pub.der', '-out', 'pub.pem')
  await writeFile(join(dir, 'ext'), 'basicConstraints=critical,CA:FALSE\nkeyUsage=critical,digitalSignature,nonRepudiation\n')
  openssl('x509', '-new', '-force_pubkey', 'pub.pem', '-subj', '/CN=Seal of an office', '-CA', 'ca.pem', '-CAkey', 'ca.key', '-days', '700', '-extfile', 'ext', '-out', 'leaf.pem') // prettier-ignore
  const certificateFile = join(dir, 'chain.pem')
  await writeFile(
    certificateFile,
    (await readFile(join(dir, 'leaf.pem'), 'latin1')) + (await readFile(join(dir, 'ca.pem'), 'latin1')),
  )
  const keyring = await open('given', { ...token, certificateFile })
  const sealed = await sealWith(keyring, 'sealed-given')
  expect((await opensslVerify(sealed)).code).toBe(0)
  const { certificates } = await keyring.publishedKeys({})
  expect(certificates.filter(({ purpose }) => purpose === 'platform').map(({ role, subject }) => `${role} ${subject}`)).toEqual([
    'authority Outside authority',
    'signing Seal of an office',
  ])
  // A certificate without its issuers, or of another key, is refused by name.
  await writeFile(certificateFile, await readFile(join(dir, 'leaf.pem')))
  await expect(open('given', { ...token, certificateFile })).rejects.toMatchObject({ code: 'sealing.token_certificate' })
  await writeFile(certificateFile, await readFile(join(dir, 'ca.pem')))
  await expect(open('given', { ...token, certificateFile })).rejects.toMatchObject({ code: 'sealing.token_certificate' })
})

test('what is wrong with a token is named, and its PIN is in no error and no log', async () => {
  const wrongPin = join(folder.dir, 'wrong-pin')
  await writeFile(wrongPin, '000000', { mode: 0o600 })
  const refused = async (change: Partial<TokenConfig>) =>
    await open('refused', { ...token, ...change }).then(
      () => 'opened',
      (error: unknown) => {
        expect(String(error) + JSON.stringify(error)).not.toContain('482951')
        const { code = '' } = error as { code?: string }
        for (const messages of [en, fr]) expect(Object.keys(messages), code).toContain(code)
        return code
      },
    )
  expect(await refused({ pinFile: wrongPin })).toBe('sealing.token_pin')
  expect(await refused({ pinFile: join(folder.dir, 'none') })).toBe('sealing.token_pin_file')
  expect(await refused({ token: 'elsewhere' })).toBe('sealing.token_absent')
  expect(await refused({ module: '/nonexistent/module.so' })).toBe('sealing.token_module')
  expect(await refused({ key: 'nothing' })).toBe('sealing.token_key')
  expect(await refused({ key: 'other-curve' })).toBe('sealing.token_algorithm')
  await chmod(wrongPin, 0o644)
  expect(await refused({ pinFile: wrongPin })).toBe('sealing.keyring_permissions')
  expect(said.join('\n')).not.toContain('482951')
  // The token still takes the right PIN: the wrong one was tried once, however often it was asked with.
  await chmod(wrongPin, 0o600)
  for (let i = 0; i < 20; i += 1) expect(await refused({ pinFile: wrongPin })).toBe('sealing.token_pin')
  expect(await refused({})).toBe('opened')
})
