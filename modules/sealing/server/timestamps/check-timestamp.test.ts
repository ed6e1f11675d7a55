import { generateKeyPairSync, sign } from 'node:crypto'
import { expect, test } from 'vitest'
import { checkTimestamp } from './check-timestamp.ts'
import { issueCertificate } from '../certificates/issue-certificate.ts'
import type { CertificateUse } from '../certificates/issue-certificate.ts'
import { buildTimestampRequest } from './request-timestamp.ts'
import type { Signer } from '../keyring/signer.ts'
import { createTimestampAuthority } from './timestamp-authority.ts'

const now = new Date('2026-11-21T10:00:00.250Z')
const digest = new Uint8Array(32).fill(9)

function makeKey() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return {
    spki: new Uint8Array(publicKey.export({ type: 'spki', format: 'der' })),
    sign: (data: Uint8Array) => new Uint8Array(sign('sha256', data, privateKey)),
  }
}
type Key = ReturnType<typeof makeKey>

function issue(
  name: string,
  use: CertificateUse,
  key: Key,
  issuer: Key,
  issuerCertificate?: Uint8Array,
  years: readonly [number, number] = [2026, 2030],
): Uint8Array {
  return issueCertificate(
    {
      commonName: name,
      organization: 'Test',
      use,
      publicKey: key.spki,
      notBefore: new Date(`${years[0]}-01-01T00:00:00Z`),
      notAfter: new Date(`${years[1]}-01-01T00:00:00Z`),
    },
    { sign: issuer.sign, ...(issuerCertificate === undefined ? {} : { certificate: issuerCertificate }) },
  )
}

async function stampWith(key: Key, certificate: Uint8Array, chain: Uint8Array[]) {
  const signer: Signer = { keyId: 'test', certificate, chain, sign: async (data) => key.sign(data) }
  const authority = createTimestampAuthority({
    clock: { now: () => now },
    keyring: { certificates: () => [], signer: async () => signer },
  })
  const { encoded, nonce } = buildTimestampRequest(digest)
  return { response: await authority.respond(encoded), nonce }
}
const check = ({ response, nonce }: { response: Uint8Array; nonce: string }) =>
  checkTimestamp(response, { digest, nonce, now, toleranceMs: 1000 })

const [leaf, middle, root] = [makeKey(), makeKey(), makeKey()]
const rootCertificate = issue('Root', 'authority', root, root)
const middleCertificate = issue('Middle', 'authority', middle, root, rootCertificate)
const leafCertificate = issue('Leaf', 'timestamping', leaf, middle, middleCertificate)

test('a chain is built to the self-signed root, whatever the order of the certificates', async () => {
  const { chain, authority, genTime } = check(await stampWith(leaf, leafCertificate, [rootCertificate, middleCertificate]))
  expect(chain.map((each) => Buffer.from(each))).toEqual([middleCertificate, rootCertificate].map((each) => Buffer.from(each)))
  expect(authority).toBe('Leaf')
  expect(genTime).toEqual(now)
})

test('a self-signed root is preferred to a cross-certificate that leads nowhere', async () => {
  const middleRoot = issue('Middle', 'authority', middle, middle)
  const { chain } = check(await stampWith(leaf, leafCertificate, [middleCertificate, middleRoot]))
  expect(chain).toHaveLength(1)
  expect(Buffer.from(chain[0] ?? [])).toEqual(Buffer.from(middleRoot))
})

test('an issuer that is absent, expired, or no authority breaks the chain', async () => {
  const broken = [
    [middleCertificate],
    [],
    [issue('Middle', 'authority', middle, root, rootCertificate, [2020, 2021]), rootCertificate],
    [issue('Middle', 'signature', middle, root, rootCertificate), rootCertificate],
    [issue('Middle', 'authority', makeKey(), root, rootCertificate), rootCertificate],
  ]
  for (const chain of broken) {
    const stamp = await stampWith(leaf, leafCertificate, chain)
    expect(() => check(stamp)).toThrow('sealing.tsa_chain')
  }
})

test('a certificate of another purpose, or out of its time, is refused', async () => {
  const seal = issue('Leaf', 'signature', leaf, middle, middleCertificate)
  const early = issue('Leaf', 'timestamping', leaf, middle, middleCertificate, [2027, 2030])
  const chain = [middleCertificate, rootCertificate]
  for (const [certificate, code] of [
    [seal, 'purpose'],
    [early, 'expired'],
  ] as const) {
    const stamp = await stampWith(leaf, certificate, chain)
    expect(() => check(stamp)).toThrow(`sealing.tsa_${code}`)
  }
})

test('every flipped bit of the answer is seen, but the one that turns granted into grantedWithMods', async () => {
  const stamp = await stampWith(leaf, leafCertificate, [middleCertificate, rootCertificate])
  const status = Buffer.from(stamp.response).indexOf(Uint8Array.of(0x30, 0x03, 0x02, 0x01, 0x00)) + 4
  const accepted: string[] = []
  for (let at = 0; at < stamp.response.length; at += 1) {
    for (let bit = 0; bit < 8; bit += 1) {
      try {
        check({ ...stamp, response: stamp.response.with(at, (stamp.response[at] ?? 0) ^ (1 << bit)) })
        accepted.push(`${at}.${bit}`)
      } catch (error) {
        expect(error).toMatchObject({ code: expect.stringMatching(/^sealing\.tsa_/) as string })
      }
    }
  }
  expect(accepted).toEqual([`${status}.0`])
})
