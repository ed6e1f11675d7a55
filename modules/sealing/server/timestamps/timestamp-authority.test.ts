import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as asn1js from 'asn1js'
import * as fc from '../../../../testing/fast-check.ts'
import * as pkijs from 'pkijs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../../kernel/clock.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import { runTool, temporaryFolder, temporaryKeyring } from '../../../../testing/keyring.ts'
import { pemOf } from '../certificates/read-certificate.ts'
import { buildTimestampRequest } from './request-timestamp.ts'
import type { Keyring } from '../keyring/signer.ts'
import { createTimestampAuthority } from './timestamp-authority.ts'
import type { TimestampAuthority } from './timestamp-authority.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let keyring: Keyring
let authority: TimestampAuthority
const openssl = (...args: string[]) => runTool(folder.dir, 'openssl', ...args)

beforeAll(async () => {
  folder = await temporaryFolder()
  keyring = await temporaryKeyring(folder.dir)
  authority = createTimestampAuthority({ keyring, clock: systemClock })
  const signer = await keyring.signer('time')
  await writeFile(join(folder.dir, 'ca.pem'), pemOf(signer.chain))
  await writeFile(join(folder.dir, 'tsa.pem'), pemOf([signer.certificate]))
  await writeFile(join(folder.dir, 'data'), 'what is stamped')
})
afterAll(() => folder.remove())

/** A request made by openssl, our answer to it on disk, and what `openssl ts -reply -text` reads in it. */
async function ask(...args: string[]): Promise<{ answer: Uint8Array; text: string }> {
  expect((await openssl('ts', '-query', '-data', 'data', '-out', 'q.tsq', ...args)).code).toBe(0)
  const answer = await authority.respond(await readFile(join(folder.dir, 'q.tsq')))
  await writeFile(join(folder.dir, 'a.tsr'), answer)
  return { answer, text: (await openssl('ts', '-reply', '-in', 'a.tsr', '-text')).output }
}

test.each(['-sha256', '-sha384', '-sha512'])('openssl accepts a token over %s, with certificates', async (digest) => {
  const { text } = await ask(digest, '-cert')
  expect(text).toContain('Status: Granted.')
  expect(text).toContain('Policy OID: 2.25.85084599495091271194178555019902368870.1')
  expect(text).toContain('Accuracy: unspecified')
  expect(await openssl('ts', '-verify', '-queryfile', 'q.tsq', '-in', 'a.tsr', '-CAfile', 'ca.pem')).toMatchObject({ code: 0 })
  expect(await openssl('ts', '-verify', '-data', 'data', '-in', 'a.tsr', '-CAfile', 'ca.pem')).toMatchObject({ code: 0 })
})

test('without certReq no certificate is enclosed, and openssl accepts it given the certificate', async () => {
  await ask('-sha256')
  expect((await openssl('ts', '-verify', '-data', 'data', '-in', 'a.tsr', '-CAfile', 'ca.pem')).code).not.toBe(0)
  expect(
    await openssl('ts', '-verify', '-data', 'data', '-in', 'a.tsr', '-CAfile', 'ca.pem', '-untrusted', 'tsa.pem'),
  ).toMatchObject({ code: 0 })
})

test('the nonce is echoed, and absent when none was sent', async () => {
  await ask('-sha256', '-cert')
  const nonce = /Nonce: (0x[0-9A-F]+)/.exec((await openssl('ts', '-query', '-in', 'q.tsq', '-text')).output)?.[1]
  expect(nonce).toBeDefined()
  expect((await openssl('ts', '-reply', '-in', 'a.tsr', '-text')).output).toContain(`Nonce: ${nonce}`)
  expect((await ask('-sha256', '-no_nonce')).text).toContain('Nonce: unspecified')
})

test.each([
  ['another policy', ['-sha256', '-tspolicy', '1.2.3.4'], 'unacceptedPolicy', 15],
  ['SHA-1', ['-sha1'], 'badAlg', 0],
  ['SHA-3, which is not offered', ['-sha3-256'], 'badAlg', 0],
])('%s is rejected with its PKIFailureInfo', async (_, args, failure, bit) => {
  const { answer, text } = await ask(...args)
  expect(text).toContain('Status: Rejected.')
  const parsed = new pkijs.TimeStampResp({ schema: asn1js.fromBER(Uint8Array.from(answer)).result })
  expect(parsed.timeStampToken, failure).toBeUndefined()
  const bits = parsed.status.failInfo?.valueBlock.valueHexView ?? new Uint8Array()
  expect(
    [...bits].flatMap((octet, i) => [0, 1, 2, 3, 4, 5, 6, 7].filter((b) => (octet & (0x80 >> b)) !== 0).map((b) => i * 8 + b)),
  ).toEqual([bit])
})

test('our own policy may be asked for by name', async () => {
  expect((await ask('-sha256', '-tspolicy', '2.25.85084599495091271194178555019902368870.1')).text).toContain('Status: Granted.')
})

const failureOf = async (request: Uint8Array) => {
  await writeFile(join(folder.dir, 'r.tsr'), await authority.respond(request))
  return (await openssl('ts', '-reply', '-in', 'r.tsr', '-text')).output
}

test('malformed requests: a version, a digest of the wrong length, an extension, left-over octets', async () => {
  const good = buildTimestampRequest(new Uint8Array(32)).encoded
  const altered = (at: number, value: number) => good.with(at, value)
  expect(await failureOf(altered(4, 2))).toContain('Failure info: transaction not permitted or supported')
  const digest = Buffer.from(good).indexOf(Uint8Array.of(4, 32))
  expect(await failureOf(altered(digest - 1, 2))).toContain('wrong format') // SHA-384 named, 32 octets sent
  const extended = Uint8Array.of(...good, 0xa0, 0x02, 0x30, 0x00).with(1, good.length + 2)
  expect(await failureOf(extended)).toContain('requested extension is not supported')
  expect(await failureOf(Uint8Array.of(...good, 0))).toContain('wrong format')
  expect(await failureOf(new Uint8Array(16_385))).toContain('wrong format')
})

test('whatever octets come, the answer is a TimeStampResp', async () => {
  const good = buildTimestampRequest(new Uint8Array(32)).encoded
  const mutated = fc.tuple(fc.nat(good.length - 1), fc.nat(255)).map(([at, value]) => good.with(at, value))
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.uint8Array({ maxLength: 200 }), mutated), async (request) => {
      const parsed = new pkijs.TimeStampResp({ schema: asn1js.fromBER(await authority.respond(request)).result })
      expect(parsed.status.status === pkijs.PKIStatus.granted).toBe(parsed.timeStampToken !== undefined)
    }),
    { numRuns: 500 },
  )
})

test('TSTInfo is a primitive OCTET STRING and the token is DER throughout', async () => {
  await ask('-sha256', '-cert')
  await openssl('ts', '-reply', '-in', 'a.tsr', '-token_out', '-out', 'token.der')
  const { output } = await openssl('asn1parse', '-inform', 'DER', '-in', 'token.der')
  expect(output).toMatch(/id-smime-ct-TSTInfo\n.*cont \[ 0 \].*\n.*prim: OCTET STRING/)
  expect(output).not.toMatch(/cons: OCTET STRING|hl=\d l=inf/)
  // Signed attributes sorted: openssl parses and encodes again, so an unsorted SET would not come back identical.
  await openssl('cms', '-cmsout', '-inform', 'DER', '-outform', 'DER', '-in', 'token.der', '-out', 'again.der')
  expect(await readFile(join(folder.dir, 'again.der'))).toEqual(await readFile(join(folder.dir, 'token.der')))
})

test('pkijs, another implementation, verifies the token', async () => {
  const { answer } = await ask('-sha256', '-cert')
  const response = new pkijs.TimeStampResp({ schema: asn1js.fromBER(Uint8Array.from(answer)).result })
  const signed = new pkijs.SignedData({ schema: response.timeStampToken?.content })
  const data = Uint8Array.from(await readFile(join(folder.dir, 'data'))).buffer
  expect(await signed.verify({ signer: 0, data })).toBe(true)
  expect(await signed.verify({ signer: 0, data: new Uint8Array(3).buffer }).catch(() => false)).toBe(false)
})

test('serial numbers differ across authorities, and have 159 bits', async () => {
  const serials = new Set<string>()
  for (let i = 0; i < 200; i += 1) {
    const other = i % 2 === 0 ? authority : createTimestampAuthority({ keyring, clock: systemClock })
    const response = new pkijs.TimeStampResp({
      schema: asn1js.fromBER(await other.respond(buildTimestampRequest(new Uint8Array(32)).encoded)).result,
    })
    const signed = new pkijs.SignedData({ schema: response.timeStampToken?.content })
    const content = signed.encapContentInfo.eContent?.valueBlock.valueHexView ?? new Uint8Array()
    const info = new pkijs.TSTInfo({ schema: asn1js.fromBER(Uint8Array.from(content)).result })
    serials.add(Buffer.from(info.serialNumber.valueBlock.valueHexView).toString('hex'))
  }
  expect(serials.size).toBe(200)
  expect([...serials].every((serial) => serial.length === 40)).toBe(true)
})

test('a measured accuracy is stated as measured', async () => {
  const measured = createTimestampAuthority({ keyring, clock: systemClock, accuracy: () => 1_250_300 })
  await writeFile(join(folder.dir, 'm.tsr'), await measured.respond(buildTimestampRequest(new Uint8Array(32)).encoded))
  expect((await openssl('ts', '-reply', '-in', 'm.tsr', '-text')).output).toContain(
    'Accuracy: 0x01 seconds, 0xFA millis, 0x012C micros',
  )
})

test('a clock before the certificate gives timeNotAvailable, a broken signer systemFailure', async () => {
  const failing = (code: string) =>
    createTimestampAuthority({
      clock: systemClock,
      keyring: { certificates: () => [], signer: () => Promise.reject(new DomainError('unavailable', code)) },
    })
  const text = async (code: string) => {
    await writeFile(join(folder.dir, 'f.tsr'), await failing(code).respond(buildTimestampRequest(new Uint8Array(32)).encoded))
    return (await openssl('ts', '-reply', '-in', 'f.tsr', '-text')).output
  }
  expect(await text('sealing.clock_before_key')).toContain("the TSA's time source is not available")
  expect(await text('sealing.keyring_damaged')).toContain('the request cannot be handled due to system failure')
})
