import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from '../../../../testing/fast-check.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { glanceOf, recognise, unwrapText } from './recognise.ts'
import { below, share } from '../../../../testing/sweep.ts'

let dir: string
const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: dir, stdio: 'pipe' })
const read = (name: string) => Uint8Array.from(readFileSync(join(dir, name)))
const kindOf = (bytes: Uint8Array | string) =>
  recognise(glanceOf(typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes))

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'recognise-'))
  writeFileSync(join(dir, 'contract.txt'), 'signed')
  writeFileSync(join(dir, 'ext'), 'extendedKeyUsage=critical,timeStamping\n')
  openssl(
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-keyout',
    'k.pem',
    '-out',
    'c.pem',
    '-subj',
    '/CN=T',
    '-addext',
    'extendedKeyUsage=critical,timeStamping',
  )
  openssl('x509', '-in', 'c.pem', '-outform', 'DER', '-out', 'c.der')
  openssl('cms', '-sign', '-in', 'contract.txt', '-signer', 'c.pem', '-inkey', 'k.pem', '-outform', 'DER', '-out', 's.p7s')
  openssl('cms', '-cmsout', '-in', 's.p7s', '-inform', 'DER', '-outform', 'PEM', '-out', 's.pem')
  writeFileSync(
    join(dir, 'tsa.cnf'),
    `[tsa]\ndefault_tsa=t\n[t]\nserial=${dir}/serial\ndefault_policy=1.2.3\nsigner_digest=sha256\ndigests=sha256\nsigner_cert=c.pem\nsigner_key=k.pem\n`,
  )
  openssl('ts', '-query', '-data', 'contract.txt', '-sha256', '-cert', '-out', 'q.tsq')
  openssl('ts', '-reply', '-config', 'tsa.cnf', '-queryfile', 'q.tsq', '-out', 'r.tsr')
  openssl('ts', '-reply', '-config', 'tsa.cnf', '-in', 'r.tsr', '-token_out', '-out', 't.der')
})
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const ots = Buffer.concat([
  Buffer.from('004f70656e54696d657374616d7073000050726f6f6600bf89e2e884e89294', 'hex'),
  Buffer.from([1, 8]),
  Buffer.alloc(40),
])

test('what openssl writes is recognised in DER, PEM, base64 and hexadecimal', () => {
  for (const [name, kind] of [
    ['r.tsr', 'timestamp'],
    ['t.der', 'timestamp'],
    ['s.p7s', 'cms'],
    ['c.der', 'certificates'],
  ] as const) {
    const bytes = read(name)
    const base64 = Buffer.from(bytes).toString('base64')
    const forms = [bytes, base64, base64.replaceAll(/.{64}/g, '$&\r\n'), Buffer.from(bytes).toString('hex').toUpperCase()]
    for (const form of forms) expect([name, kindOf(form)]).toEqual([name, kind])
    for (const text of forms.slice(1)) expect(unwrapText(new TextEncoder().encode(String(text)))).toEqual(bytes)
  }
  expect(kindOf(read('s.pem'))).toBe('cms')
  expect(unwrapText(read('s.pem'))).toEqual(read('s.p7s'))
  expect(kindOf(read('c.pem'))).toBe('certificates')
  // A question is no proof.
  expect(kindOf(read('q.tsq'))).toBe('document')
  expect(kindOf(read('contract.txt'))).toBe('document')
})

test.each([
  ['opentimestamps', ots],
  ['opentimestamps', ots.toString('base64')],
  ['pdf', Buffer.from('\uFEFF%PDF-1.7\n%âãÏÓ\n')],
  ['chainpoint', '{"@context":"https://w3id.org/chainpoint/v3","type":"Chainpoint","hash":"00"}'],
  ['chainpoint', '{\n  "@context": "https://w3id.org/chainpoint/v2", "type": "ChainpointSHA256v2"}'],
  ['chainpoint', '{"@context":"https://w3id.org/chainpoint/v4"}'],
  ['log_proof', 'c2sp.org/tlog-proof@v1\nindex 1\n'],
  [
    'checkpoint',
    `example.org/log\n12\n${Buffer.alloc(32).toString('base64')}\n\n— example.org/log ${Buffer.alloc(68).toString('base64')}\n`,
  ],
  ['bitcoin_message', '-----BEGIN BITCOIN SIGNED MESSAGE-----\nhello\n-----BEGIN SIGNATURE-----\n'],
  ['trusted_list', '<?xml version="1.0"?><tsl:TrustServiceStatusList xmlns:tsl="http://uri.etsi.org/02231/v2#">'],
  ['document', '{"hello": 1}'],
  ['document', ''],
  ['document', 'Some words, and a few more words that are long enough.'],
  ['document', 'deadbeef'.repeat(8)],
] as const)('%s by its content', (kind, bytes) => {
  expect(kindOf(typeof bytes === 'string' ? bytes : Uint8Array.from(bytes))).toBe(kind)
})

test('archives are told apart by their entries, in the order of any tool', () => {
  const zip = (...names: string[]) => {
    const made = join(dir, `${String(names.length)}-${names[0]?.replaceAll('/', '_') ?? ''}.zip`)
    const script = `import sys,zipfile
z=zipfile.ZipFile(sys.argv[1],'w')
for n in sys.argv[2:]: z.writestr(n, 'application/vnd.etsi.asic-e+zip' if n=='mimetype' else 'x'*300)
z.close()`
    execFileSync('python3', ['-c', script, made, ...names])
    return Uint8Array.from(readFileSync(made))
  }
  const sealed = zip('mimetype', 'manifest.json', 'README.txt', 'seal/root.bin', 'META-INF/ASiCManifest001.xml')
  expect(kindOf(sealed)).toBe('package')
  expect(kindOf(sealed.subarray(0, 700))).toBe('package')
  // Whatever was altered, it is the package that is verified: not a container that would pass for less.
  for (const at of [0, 1, 3, 30, 40, 60, sealed.length - 1, sealed.length - 22, sealed.length - 6]) {
    const altered = Uint8Array.from(sealed)
    altered[at] = (altered[at] ?? 0) ^ 1
    expect([at, kindOf(altered)]).toEqual([at, 'package'])
  }
  expect(kindOf(Uint8Array.of(1, 2, 3, ...sealed))).toBe('package')
  expect(kindOf(zip('mimetype', 'README.txt', 'seal/root.bin', 'seal/seal.json', 'META-INF/ASiCManifest001.xml'))).toBe('package')
  expect(kindOf(zip('mimetype', 'manifest.json', 'verify.html', 'META-INF/ASiCManifest001.xml'))).toBe('package')
  writeFileSync(join(dir, 'inner.zip'), sealed)
  const outer = join(dir, 'outer.zip')
  execFileSync('python3', [
    '-c',
    'import sys,zipfile\nzipfile.ZipFile(sys.argv[1],"w").write(sys.argv[2],"inner.zip")',
    outer,
    join(dir, 'inner.zip'),
  ])
  expect(kindOf(Uint8Array.from(readFileSync(outer)))).toBe('archive')
  expect(kindOf(zip('mimetype', 'contract.pdf', 'META-INF/signatures.p7s'))).toBe('asic')
  expect(kindOf(zip('contract.pdf', 'META-INF/ASiCManifest.xml'))).toBe('asic')
  expect(kindOf(zip('datapackage.json', 'archive/data.warc.gz', 'pages/pages.jsonl', 'indexes/index.cdx'))).toBe('wacz')
  expect(kindOf(zip('contract.pdf', 'contract.pdf.ots'))).toBe('archive')
})

/** One item of each kind, whole. */
const samples = (): readonly Uint8Array[] => [
  ...['r.tsr', 't.der', 's.p7s', 's.pem', 'c.pem', 'c.der', 'sample.zip'].map(read),
  Uint8Array.from(ots),
  ...[
    read('r.tsr').reduce((text, octet) => text + octet.toString(16).padStart(2, '0'), ''),
    Buffer.from(read('t.der')).toString('base64'),
    '%PDF-1.7\n1 0 obj\n<< >>\nendobj\n',
    '{"@context":"https://w3id.org/chainpoint/v3","type":"Chainpoint","hash":"00"}',
    '{"format":"probant-keys/1"}',
    'c2sp.org/tlog-proof@v1\nindex 1\n',
    `example.org/log\n12\n${Buffer.alloc(32).toString('base64')}\n\n\u2014 example.org/log ${Buffer.alloc(68).toString('base64')}\n`,
    '-----BEGIN BITCOIN SIGNED MESSAGE-----\nhello\n-----BEGIN SIGNATURE-----\n',
    '<?xml version="1.0"?><tsl:TrustServiceStatusList xmlns:tsl="http://uri.etsi.org/02231/v2#">',
  ].map((text) => new TextEncoder().encode(text)),
]

test(`${share(10_000)} items: altered ones of every kind and any octets are something, and nothing is thrown`, () => {
  execFileSync('python3', [
    '-c',
    "import sys,zipfile\nz=zipfile.ZipFile(sys.argv[1],'w')\nfor n in ('mimetype','manifest.json','seal/root.bin','META-INF/ASiCManifest001.xml'): z.writestr(n,'x'*40)\nz.close()",
    join(dir, 'sample.zip'),
  ])
  const whole = samples()
  expect(new Set(whole.map(kindOf)).size).toBeGreaterThanOrEqual(11)
  const next = below(5)
  const escaped: string[] = []
  const kinds = new Set<string>()
  for (let i = 0; i < 10_000; i += 1) {
    const from = whole[i % (whole.length + 1)] ?? new Uint8Array(next(400)).map(() => next(256))
    const bytes = from.slice(0, i % 3 === 0 ? next(from.length + 1) : from.length)
    for (let edits = next(5); edits > 0 && bytes.length > 0; edits -= 1)
      bytes[next(bytes.length)] = [0, 0x80, 0xff, next(256)][next(4)] ?? 0
    try {
      kinds.add(kindOf(bytes))
      // Said to be longer, or to end otherwise, than it does.
      kinds.add(recognise({ size: bytes.length + next(1 << 20), head: bytes, tail: bytes.subarray(next(bytes.length + 1)) }))
      unwrapText(bytes)
    } catch (error) {
      escaped.push(`${i}: ${String(error)}`)
    }
  }
  expect(escaped).toEqual([])
  expect([...kinds].toSorted()).toEqual(expect.arrayContaining([...new Set(whole.map(kindOf))].toSorted()))
})

test('an altered time stamp is never taken for an archive, a PDF or a package', () => {
  const token = read('r.tsr')
  fc.assert(
    fc.property(fc.nat(token.length - 1), fc.nat(255), fc.nat(token.length), (at, octet, cut) => {
      const altered = Uint8Array.from(token)
      altered[at] = octet
      expect(['timestamp', 'cms', 'document', 'certificates', 'chainpoint']).toContain(kindOf(altered.subarray(0, cut)))
    }),
    { numRuns: share(2_000) },
  )
})
