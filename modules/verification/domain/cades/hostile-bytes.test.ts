import { readFile } from 'node:fs/promises'
import { assert, asyncProperty, boolean, uint8Array } from '../../../../testing/fast-check.ts'
import { expect, test } from 'vitest'
import { concatBytes } from '../../../../kernel/bytes.ts'
import { certificate, crowd, data as dataType, keyOf, nameOf, signedData } from '../../../../testing/proof-vectors/issue.ts'
import { MalformedError } from '../encoding/der.ts'
import { verifyTimestampProof } from '../timestamp/verify-timestamp-proof.ts'
import { isIssuedBy, readCertificate, readPem } from '../certificate/x509.ts'
import { definiteLengths } from '../encoding/definite-lengths.ts'
import { verifyCms } from './verify-cms.ts'
import { below, share } from '../../../../testing/sweep.ts'

const vectors = new URL('../../../../testing/proof-vectors/', import.meta.url)
const read = async (name: string): Promise<Uint8Array> => new Uint8Array(await readFile(new URL(name, vectors)))
const now = (): Date => new Date('2026-11-21T12:00:00Z')
const rounds = share(10_000)

/** One octet or two changed, or some cut out, doubled, put in elsewhere or lost at the end: always another input. */
function mutated(bytes: Uint8Array, next: (limit: number) => number): Uint8Array {
  const at = next(bytes.length)
  const length = 1 + next(40)
  switch (next(8)) {
    case 0:
      return bytes.subarray(0, at)
    case 1:
      return concatBytes(bytes.subarray(0, at), bytes.subarray(at + length))
    case 2:
      return concatBytes(bytes.subarray(0, at + length), bytes.subarray(at))
    case 3:
      return concatBytes(
        bytes.subarray(0, at),
        Uint8Array.from({ length }, () => next(256)),
        bytes.subarray(at),
      )
    default: {
      const copy = Uint8Array.from(bytes)
      copy[at] = (copy[at] ?? 0) ^ (1 + next(255))
      if (next(4) === 0) {
        const other = next(bytes.length)
        if (other !== at) copy[other] = next(256)
      }
      return copy
    }
  }
}

test(`${share(10_000)} altered time stamps: each is answered, and none passes`, async () => {
  const token = await read('timestamp/good-rsa.tst')
  const trust = await read('timestamp/rsa-root.pem')
  const data = { bytes: await read('timestamp/document.txt') }
  expect((await verifyTimestampProof({ token, data }, { now, trust })).verdict).toBe('TOTAL-PASSED')
  const next = below(3161)
  const passed: number[] = []
  for (let i = 0; i < rounds; i += 1) {
    const input = mutated(token, next)
    const report = await verifyTimestampProof({ token: input, data }, { now, trust })
    if (report.verdict === 'TOTAL-PASSED') passed.push(i)
  }
  expect(passed).toEqual([])
})

test('an alteration of certificates that are enclosed beside is noted, and changes nothing that is proven', async () => {
  const token = await read('timestamp/good.tst')
  const trust = await read('timestamp/root.pem')
  const data = { bytes: await read('timestamp/document.txt') }
  const before = await verifyTimestampProof({ token, data }, { now, trust })
  const next = below(7)
  let noted = 0
  for (let i = 0; i < 1000; i += 1) {
    const report = await verifyTimestampProof({ token: mutated(token, next), data }, { now, trust })
    if (report.verdict !== 'TOTAL-PASSED') continue
    noted += 1
    const said = report.checks.find(({ id }) => id === 'octets')
    expect(said?.status).toBe('indeterminate')
    expect(['certificate_replaced', 'other_certificates']).toContain(said?.data['reason'])
    expect([report.dates, report.bound, report.facts]).toEqual([before.dates, before.bound, before.facts])
  }
  expect(noted).toBeLessThan(100)
})

test(`${share(10_000)} altered CMS signatures: each is answered, and none passes`, async () => {
  const signature = await read('cms/good-rsa.p7s')
  const trust = await read('cms/rsa-root.pem')
  const content = { bytes: await read('cms/content.txt') }
  expect((await verifyCms({ signature, content }, { now, trust })).verdict).toBe('TOTAL-PASSED')
  const next = below(5652)
  const passed: number[] = []
  for (let i = 0; i < rounds; i += 1) {
    const input = mutated(signature, next)
    const report = await verifyCms({ signature: input, content }, { now, trust })
    if (report.verdict === 'TOTAL-PASSED') passed.push(i)
  }
  expect(passed).toEqual([])
})

test(`${share(10_000)} altered certificates: each is read or malformed, and none is the one it was`, async () => {
  const [certificate] = readPem(await read('timestamp/rsa-root.pem'))
  if (certificate === undefined) throw new Error('no certificate')
  const next = below(5280)
  let readable = 0
  for (let i = 0; i < rounds; i += 1) {
    const input = mutated(certificate.encoded, next)
    try {
      expect(readCertificate(input, 'lenient').sha256).not.toBe(certificate.sha256)
      readable += 1
    } catch (error) {
      expect(error).toBeInstanceOf(MalformedError)
    }
  }
  expect(readable).toBeGreaterThan(0)
  expect(readable).toBeLessThan(rounds)
})

test('any bytes at all are answered', async () => {
  await assert(
    asyncProperty(uint8Array({ maxLength: 400 }), boolean(), async (bytes, asSequence) => {
      const input = asSequence ? concatBytes(Uint8Array.of(0x30, 0x82, bytes.length >> 8, bytes.length & 0xff), bytes) : bytes
      expect([null, 'TOTAL-FAILED']).toContain((await verifyTimestampProof({ token: input }, { now })).verdict)
      expect([null, 'TOTAL-FAILED']).toContain((await verifyCms({ signature: input }, { now })).verdict)
    }),
    { numRuns: share(2000), seed: 1 },
  )
})

test.each([
  { name: 'lengths without end', bytes: new Uint8Array(1 << 20).map((_, i) => (i % 2 === 0 ? 0x30 : 0x80)) },
  { name: 'an element that says to be 4 GiB long', bytes: Uint8Array.of(0x30, 0x84, 0xff, 0xff, 0xff, 0xff, 0x06, 0x01, 0x00) },
  { name: 'a length of 126 octets', bytes: Uint8Array.of(0x30, 0xfe, ...new Uint8Array(126).fill(0xff)) },
  { name: 'base64 of nothing that is ASN.1', bytes: new Uint8Array(Buffer.from(`MII${'A'.repeat(1_000_000)}`)) },
  { name: 'lengths to the end of a string in pieces', bytes: Uint8Array.of(0x24, 0x80, 0x04, 0x01, 0x61) },
])('$name: malformed, at once', async ({ bytes }) => {
  expect((await verifyTimestampProof({ token: bytes }, { now })).unusable).toBe(true)
  expect((await verifyCms({ signature: bytes }, { now })).unusable).toBe(true)
  expect(() => definiteLengths(bytes)).toThrow(MalformedError)
})

test('a million elements are no signature, which is said at once', async () => {
  const nulls = new Uint8Array(2_000_000).map((_, i) => (i % 2 === 0 ? 0x05 : 0))
  const bytes = concatBytes(Uint8Array.of(0x30, 0x83, 0x1e, 0x84, 0x80), nulls)
  expect((await verifyTimestampProof({ token: bytes }, { now })).unusable).toBe(true)
  expect((await verifyCms({ signature: bytes }, { now })).unusable).toBe(true)
  expect(definiteLengths(bytes).encoded.buffer).toBe(bytes.buffer)
})

test('strings in pieces and lengths without end come out as DER, and DER as it was', () => {
  const pieces = Uint8Array.of(
    0x30,
    0x80,
    0x24,
    0x80,
    0x04,
    0x01,
    0x61,
    0x24,
    0x05,
    0x04,
    0x03,
    0x62,
    0x63,
    0x64,
    0,
    0,
    0x05,
    0x81,
    0x00,
    0,
    0,
  )
  expect([...definiteLengths(pieces).encoded]).toEqual([0x30, 8, 0x04, 4, 0x61, 0x62, 0x63, 0x64, 0x05, 0])
  const der = Uint8Array.of(0x30, 3, 0x02, 1, 5)
  expect(definiteLengths(der).encoded).toEqual(der)
  expect(definiteLengths(der).encoded.buffer).toBe(der.buffer)
})

test('a crowd of certificates of one name costs a bounded number of calculations, and that is said', async () => {
  const crowded = crowd(60)
  const parent = { der: new Uint8Array(), subject: nameOf('Crowd'), key: keyOf(41), serial: 1 }
  const signer = certificate({ name: 'Crowd', serial: 7, key: keyOf(42) }, parent)
  const content = new Uint8Array(3)
  const signature = signedData({
    contentType: dataType,
    content,
    signer,
    issuer: parent.subject,
    certificates: [signer.der, ...crowded],
  })
  const report = await verifyCms({ signature }, { now })
  expect(report.checks.find(({ id }) => id === 'chain')?.data['reason']).toBe('too_many_certificates')
  expect(report.verdict).toBe('INDETERMINATE')
  const [first, second] = crowded.map((each) => readCertificate(each, 'lenient'))
  if (first === undefined || second === undefined) throw new Error('no crowd')
  const budget = { left: 0 }
  expect(isIssuedBy(first, { ...second, sha256: 'not known yet' }, budget)).toBe(false)
  expect(budget.left).toBe(-1)
})
