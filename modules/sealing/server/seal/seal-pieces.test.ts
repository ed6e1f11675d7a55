import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../../kernel/clock.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { runTool, temporaryFolder, temporaryKeyring, writeFiles } from '../../../../testing/keyring.ts'
import { startOutsideTsa } from '../../../../testing/tsa.ts'
import type { OutsideTsa } from '../../../../testing/tsa.ts'
import type { SealRecord } from '../../domain/seal.ts'
import { coverEntries } from './cover-entries.ts'
import { createTimestampers } from '../timestamps/create-timestampers.ts'
import { sealPieces } from './seal-pieces.ts'
import type { Sealed } from './seal-pieces.ts'
import type { Keyring } from '../keyring/signer.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let keyring: Keyring
let outside: OutsideTsa
let second: OutsideTsa
beforeAll(async () => {
  folder = await temporaryFolder()
  keyring = await temporaryKeyring(folder.dir)
  ;[outside, second] = await Promise.all([startOutsideTsa({ name: 'Outside' }), startOutsideTsa({ name: 'Second', key: 'ec' })])
})
afterAll(async () => {
  await Promise.all([outside.close(), second.close()])
  await folder.remove()
})

const timestampersOf = (...urls: string[]) => createTimestampers({ urls, keyring, clock: systemClock, log: silentLog })
const input = {
  subject: {
    evidence_id: '0190a0b0-0000-7000-8000-000000000000',
    kind: 'static',
    requested_url: 'https://example.org/',
    final_url: 'https://example.org/',
    started_at: '2026-11-21T10:00:00.000Z',
    finished_at: '2026-11-21T10:00:09.000Z',
    software: 'probant/0.1.0',
  },
  pieces: [
    { path: 'capture/page.html', role: 'dom', media_type: 'text/html', bytes: 3, sha256: 'ab'.repeat(32) },
    { path: 'capture/network.pcap', role: 'pcap', media_type: 'application/vnd.tcpdump.pcap', bytes: 4, sha256: 'cd'.repeat(32) },
  ],
} as const
const seal = (...urls: string[]) => sealPieces(input, { keyring, timestampers: timestampersOf(...urls), clock: systemClock })

async function unpack(name: string, sealed: Sealed): Promise<string> {
  const dir = join(folder.dir, name)
  await writeFiles(dir, sealed.files)
  return dir
}
const cmsVerify = (dir: string) =>
  runTool(
    dir,
    'openssl',
    'cms',
    '-verify',
    '-binary',
    '-inform',
    'DER',
    '-in',
    'seal/signature.p7s',
    '-content',
    'seal/root.bin',
    '-CAfile',
    'seal/platform-ca.pem',
    '-out',
    '/dev/null',
  )
const tsVerify = async (dir: string, n: number) =>
  runTool(
    dir,
    'openssl',
    'ts',
    '-verify',
    '-digest',
    (await readFile(join(dir, 'seal/root.bin'))).toString('hex'),
    '-in',
    `seal/timestamp-${n}.tsr`,
    '-CAfile',
    `seal/timestamp-${n}-ca.pem`,
  )

test('by default: signature and embedded token hold for openssl with the very commands of the format', async () => {
  const sealed = await seal()
  const dir = await unpack('embedded', sealed)
  expect(sealed.files.map((file) => file.path)).toEqual([
    'manifest.json',
    'seal/root.bin',
    'seal/signature.p7s',
    'seal/platform-ca.pem',
    'seal/timestamp-1.tsr',
    'seal/timestamp-1-ca.pem',
    'seal/seal.json',
    'seal/keys.json',
    'seal/keys.p7s',
    'seal/message.txt',
    'seal/message-signatures.json',
  ])
  expect(await cmsVerify(dir)).toMatchObject({ code: 0 })
  expect(await tsVerify(dir, 1)).toMatchObject({ code: 0 })
  expect(sealed.summary).toMatchObject({
    pending_authorities: [],
    timestamps: [{ embedded: true, qualified: false, authority: expect.stringContaining('not qualified') as string }],
  })
  expect((await readFile(join(dir, 'seal/root.bin'))).toString('hex')).toBe(sealed.root)
})

test('an altered root is accepted by neither', async () => {
  const dir = await unpack('altered', await seal())
  const root = await readFile(join(dir, 'seal/root.bin'))
  await writeFiles(dir, [{ path: 'seal/root.bin', bytes: root.with(5, (root[5] ?? 0) ^ 1) }])
  expect((await cmsVerify(dir)).code).not.toBe(0)
  expect((await tsVerify(dir, 1)).code).not.toBe(0)
})

test('two outside authorities give two tokens that openssl accepts each against its own chain', async () => {
  const sealed = await seal(outside.url, second.url)
  const dir = await unpack('outside', sealed)
  expect(await tsVerify(dir, 1)).toMatchObject({ code: 0 })
  expect(await tsVerify(dir, 2)).toMatchObject({ code: 0 })
  expect(sealed.summary.timestamps.map((each) => [each.authority, each.embedded, each.qualified])).toEqual([
    ['Outside tsa', false, false],
    ['Second tsa', false, false],
  ])
})

test('seal.json says what the signature and the tokens say, as openssl reads them', async () => {
  const dir = await unpack('facts', await seal(outside.url, second.url))
  const record = JSON.parse(await readFile(join(dir, 'seal/seal.json'), 'utf8')) as SealRecord
  expect(Object.keys(record)).toEqual(['format', 'root', 'signed_at', 'signer', 'timestamps'])
  const cms = (await runTool(dir, 'openssl', 'cms', '-cmsout', '-print', '-inform', 'DER', '-in', 'seal/signature.p7s')).output
  const utc = /signingTime[\s\S]*?UTCTIME:(.*)/.exec(cms)?.[1] ?? ''
  expect(new Date(utc.replace(' GMT', ' UTC')).toISOString()).toBe(record.signed_at)
  await runTool(
    dir,
    'openssl',
    'cms',
    '-verify',
    '-binary',
    '-inform',
    'DER',
    '-in',
    'seal/signature.p7s',
    '-content',
    'seal/root.bin',
    '-noverify',
    '-signer',
    'signer.pem',
    '-out',
    '/dev/null',
  )
  const x509 = (
    await runTool(dir, 'openssl', 'x509', '-in', 'signer.pem', '-noout', '-serial', '-fingerprint', '-sha256', '-subject')
  ).output
  expect(x509.toLowerCase().replaceAll(':', '')).toContain(`fingerprint=${record.signer.sha256}`)
  expect(x509.toLowerCase()).toContain(`serial=${record.signer.serial}`)
  expect(x509).toContain(`CN = ${record.signer.subject}`)
  for (const stamp of record.timestamps) {
    const text = (await runTool(dir, 'openssl', 'ts', '-reply', '-in', stamp.file, '-text')).output
    expect(BigInt(/Serial number: (0x[0-9A-F]+)/.exec(text)?.[1] ?? 0).toString(16)).toBe(stamp.serial)
    expect(new Date(/Time stamp: (.*) GMT/.exec(text)?.[1] + ' UTC').toISOString()).toBe(stamp.gen_time)
  }
})

test('the signature is CAdES-BES: exactly the attributes of the format, detached, sorted', async () => {
  const dir = await unpack('cades', await seal())
  const print = (await runTool(dir, 'openssl', 'cms', '-cmsout', '-print', '-inform', 'DER', '-in', 'seal/signature.p7s')).output
  const attributes = print.slice(print.indexOf('signedAttrs'), print.indexOf('signatureAlgorithm'))
  expect([...attributes.matchAll(/object: (\S+)/g)].map((match) => match[1] ?? '').toSorted()).toEqual([
    'contentType',
    'id-smime-aa-signingCertificateV2',
    'messageDigest',
    'signingTime',
  ])
  expect(print).toContain('eContent: <ABSENT>')
  expect(print).toMatch(/unsignedAttrs:\s+<ABSENT>/)
  await runTool(
    dir,
    'openssl',
    'cms',
    '-cmsout',
    '-inform',
    'DER',
    '-outform',
    'DER',
    '-in',
    'seal/signature.p7s',
    '-out',
    'again.der',
  )
  expect(await readFile(join(dir, 'again.der'))).toEqual(await readFile(join(dir, 'seal/signature.p7s')))
  // -cades makes openssl check signing-certificate-v2 too.
  const cades = await runTool(
    dir,
    'openssl',
    'cms',
    '-verify',
    '-cades',
    '-binary',
    '-inform',
    'DER',
    '-in',
    'seal/signature.p7s',
    '-content',
    'seal/root.bin',
    '-CAfile',
    'seal/platform-ca.pem',
    '-out',
    '/dev/null',
  )
  expect(cades).toMatchObject({ code: 0 })
})

test('with every outside authority away, the seal stands and names them', async () => {
  outside.behave('error_500')
  try {
    const sealed = await seal(outside.url)
    expect(sealed.summary.timestamps).toMatchObject([{ embedded: true }])
    expect(sealed.summary.pending_authorities).toEqual([{ authority: outside.url, code: 'sealing.tsa_http_status' }])
    expect(await tsVerify(await unpack('away', sealed), 1)).toMatchObject({ code: 0 })
  } finally {
    outside.behave('honest')
  }
})

test('a signer that answers nonsense stops the seal', async () => {
  const broken: Keyring = {
    ...keyring,
    signer: async (purpose) => ({ ...(await keyring.signer(purpose)), sign: async () => new Uint8Array(70) }),
  }
  await expect(sealPieces(input, { keyring: broken, timestampers: timestampersOf(), clock: systemClock })).rejects.toThrow(
    'does not verify',
  )
})

const readAsic = `
import sys, base64, xml.etree.ElementTree as E
a, d = '{http://uri.etsi.org/02918/v1.2.1#}', '{http://www.w3.org/2000/09/xmldsig#}'
r = E.parse(sys.argv[1]).getroot()
assert r.tag == a + 'ASiCManifest'
s = r.findall(a + 'SigReference'); assert len(s) == 1 and r[0] is s[0]
print(s[0].get('URI'), s[0].get('MimeType'))
for o in r.findall(a + 'DataObjectReference'):
    assert o[0].tag == d + 'DigestMethod' and o[0].get('Algorithm') == 'http://www.w3.org/2001/04/xmlenc#sha256'
    print(o.get('URI'), base64.b64decode(o.find(d + 'DigestValue').text).hex())
`

test.each([1, 2] as const)('the ASiC manifest %i lists its entries, and openssl accepts its bare token', async (number) => {
  const entries = Array.from({ length: 300 }, (_, i) => ({ path: `capture/${i}.bin`, sha256: i.toString(16).padStart(64, '0') }))
  const covered = await coverEntries({ number, entries }, { timestampers: timestampersOf() })
  const dir = join(folder.dir, `asic-${number}`)
  await writeFiles(dir, covered)
  const [xml, token] = [`META-INF/ASiCManifest00${number}.xml`, `META-INF/timestamp00${number}.tst`]
  const chain = `META-INF/timestamp00${number}-ca.pem`
  expect(covered.map((file) => file.path)).toEqual([xml, token, chain])
  const listed = (await runTool(dir, 'python3', '-c', readAsic, xml)).output.trim().split('\n')
  expect(listed).toEqual([
    `${token} application/vnd.etsi.timestamp-token`,
    ...entries.map((each) => `${each.path} ${each.sha256}`),
  ])
  const verify = () => runTool(dir, 'openssl', 'ts', '-verify', '-data', xml, '-token_in', '-in', token, '-CAfile', chain)
  expect(await verify()).toMatchObject({ code: 0 })
  const bytes = await readFile(join(dir, xml))
  await writeFiles(dir, [{ path: xml, bytes: bytes.with(400, (bytes[400] ?? 0) ^ 1) }])
  expect((await verify()).code).not.toBe(0)
})

test('names that XML or a URI would have to escape, repeated names and false digests are refused', async () => {
  const cover = (...paths: string[]) =>
    coverEntries(
      { number: 1, entries: paths.map((path) => ({ path, sha256: 'ab'.repeat(32) })) },
      { timestampers: timestampersOf() },
    )
  for (const path of ['a"b', 'a<b', 'a b', 'é', '', 'a%41']) await expect(cover(path)).rejects.toThrow('sealing.entry_path')
  await expect(cover('a', 'a')).rejects.toThrow('sealing.entry_path')
  await expect(
    coverEntries({ number: 1, entries: [{ path: 'a', sha256: 'ab' }] }, { timestampers: timestampersOf() }),
  ).rejects.toThrow('sealing.piece_digest')
})
