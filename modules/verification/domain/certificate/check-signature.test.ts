import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkSignedData, readSignedData } from '../package/seal/read-signed-data.ts'
import { MalformedError } from '../encoding/der.ts'
import { isSelfSigned, readPem } from './x509.ts'

const run = promisify(execFile)
let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'check-signature-'))
  await writeFile(join(dir, 'content'), 'content')
})
afterAll(() => rm(dir, { recursive: true, force: true }))

const ec = (curve: string) => ['ec', '-pkeyopt', `ec_paramgen_curve:${curve}`]
const pss = ['-sigopt', 'rsa_padding_mode:pss', '-sigopt', 'rsa_pss_saltlen:digest']
const pssKey = ['-keyopt', 'rsa_padding_mode:pss', '-keyopt', 'rsa_pss_saltlen:digest']

test.each([
  { name: 'RSA PKCS #1 v1.5, SHA-256', key: ['rsa:2048'], md: 'sha256' },
  { name: 'RSA PKCS #1 v1.5, SHA-384', key: ['rsa:3072'], md: 'sha384' },
  { name: 'RSA PKCS #1 v1.5, SHA-512', key: ['rsa:4096'], md: 'sha512' },
  { name: 'RSA-PSS, SHA-256', key: ['rsa:2048'], md: 'sha256', x509: pss, cms: pssKey },
  { name: 'RSA-PSS, SHA-384', key: ['rsa:3072'], md: 'sha384', x509: pss, cms: pssKey },
  // A modulus whose length is not a whole number of octets: the padded block has spare bits.
  { name: 'RSA-PSS, SHA-512, 2049 bits', key: ['rsa:2049'], md: 'sha512', x509: pss, cms: pssKey },
  { name: 'P-256, SHA-256', key: ec('P-256'), md: 'sha256' },
  { name: 'P-384, SHA-384', key: ec('P-384'), md: 'sha384' },
  { name: 'P-521, SHA-512', key: ec('P-521'), md: 'sha512' },
  { name: 'RSA of 1024 bits', key: ['rsa:1024'], md: 'sha256', weak: true },
] as { name: string; key: string[]; md: string; x509?: string[]; cms?: string[]; weak?: boolean }[])(
  'a certificate and a CMS signature that openssl made hold, and fail once altered: $name',
  async ({ key, md, x509 = [], cms = [], weak = false }) => {
    const inDir = (...args: string[]) => run('openssl', args, { cwd: dir })
    await inDir(
      'req', '-x509', '-newkey', ...key, '-noenc', '-keyout', 'key', '-out', 'pem', `-${md}`, ...x509, '-subj', '/CN=Signer', '-days', '9',
    ) // prettier-ignore
    await inDir(
      'cms', '-sign', '-cades', '-binary', '-nosmimecap', '-md', md, '-in', 'content', '-signer', 'pem', '-inkey', 'key', ...cms,
      '-outform', 'DER', '-out', 'p7s',
    ) // prettier-ignore
    const [certificate] = readPem(await readFile(join(dir, 'pem')))
    expect(certificate !== undefined && isSelfSigned(certificate)).toBe(true)
    const data = readSignedData(new Uint8Array(await readFile(join(dir, 'p7s'))))
    const digest = createHash(data.digest).update('content').digest()
    expect(checkSignedData(data, digest)).toMatchObject({ weak, signer: { name: 'Signer' } })
    expect(checkSignedData(data, createHash(data.digest).update('other').digest())).toBe('message_digest')
    for (const at of [8, data.signature.length - 1]) {
      const signature = data.signature.with(at, (data.signature[at] ?? 0) ^ 1)
      expect(checkSignedData({ ...data, signature }, digest)).toBe('signature')
    }
    const tbs = certificate?.tbs.with(certificate.tbs.length - 1, (certificate.tbs.at(-1) ?? 0) ^ 1)
    // Its own digest stands for it, so the altered one is told apart.
    expect(certificate !== undefined && tbs !== undefined && isSelfSigned({ ...certificate, tbs, sha256: 'altered' })).toBe(false)
  },
)

test('ASN.1 nested hundreds of thousands deep is malformed, at once and without a stack', () => {
  const levels = 500_000
  let bytes = Buffer.alloc(0)
  // Outermost last: lengths grow inwards out, each in its fewest octets.
  const heads: Buffer[] = []
  let size = 0
  for (let i = 0; i < levels && size < 1 << 20; i += 1) {
    const head =
      size < 0x80
        ? Buffer.of(0x30, size)
        : size < 0x100
          ? Buffer.of(0x30, 0x81, size)
          : size < 0x10000
            ? Buffer.of(0x30, 0x82, size >> 8, size & 0xff)
            : Buffer.of(0x30, 0x83, size >> 16, (size >> 8) & 0xff, size & 0xff)
    heads.push(head)
    size += head.length
  }
  bytes = Buffer.concat(heads.toReversed())
  expect(heads.length).toBeGreaterThan(200_000)
  expect(() => readSignedData(bytes)).toThrow(MalformedError)
})
