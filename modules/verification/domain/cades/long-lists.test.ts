import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  authority,
  certificate,
  data,
  day,
  indefinite,
  keyOf,
  pem,
  revocationList,
  signedData,
} from '../../../../testing/proof-vectors/issue.ts'
import { verifyDossier } from '../dossier/dossier.ts'
import { fileOfBytes } from '../dossier/dropped/dossier-units.ts'

const root = authority('Vector root', keyOf(21), 1)
const signer = certificate({ name: 'Vector signer', serial: 200, key: keyOf(23), usage: [0, 1] }, root)
const content = Buffer.from('signed')
/** As the lists of national authorities: over two megabytes, more than 300,000 elements. */
const revoked = Array.from({ length: 60_000 }, (_, i) => ({ serial: 1_000_000 + i, at: day('2026-05-01'), reason: 4 }))

async function verified(lists: readonly Uint8Array[], form: (cms: Uint8Array) => Uint8Array) {
  const cms = form(
    signedData({
      contentType: data,
      content,
      signer,
      issuer: root.subject,
      detached: true,
      certificates: [signer.der],
      crls: lists,
    }),
  )
  const { items } = await verifyDossier([fileOfBytes('signed.txt', content), fileOfBytes('signed.p7s', cms)], {
    now: () => day('2026-06-02'),
    trust: pem('CERTIFICATE', root.der),
  })
  const result = items.find(({ kind }) => kind === 'cms')?.result
  return { size: cms.length, report: result?.form === 'proof' ? result.report : undefined }
}

test.each([
  ['DER', (cms: Uint8Array) => cms],
  ['BER', indefinite],
])('a signature that holds a long revocation list is read, as %s, and the list is heeded', async (_, form) => {
  const { size, report } = await verified([revocationList(root, revoked, day('2026-06-01'))], form)
  expect(size).toBeGreaterThan(2_000_000)
  expect(report?.unusable).toBe(false)
  expect(report?.checks.find(({ id }) => id === 'revocation')?.status).toBe('passed')
  expect(report?.checks.filter(({ status, supplementary }) => status !== 'passed' && supplementary !== true)).toEqual([])
  const last = { serial: 200, at: day('2026-05-20'), reason: 1 }
  const compromised = await verified([revocationList(root, [...revoked, last], day('2026-06-01'))], form)
  expect(compromised.report?.checks.find(({ id }) => id === 'revocation')?.status).toBe('failed')
})

test('what is in pieces comes out whole, also of half a million of them', async () => {
  const { definiteLengths } = await import('../encoding/definite-lengths.ts')
  const string = Buffer.alloc(64 * 100_000, 7)
  const pieces = Buffer.concat(
    Array.from({ length: 100_000 }, (_, i) => Buffer.concat([Buffer.of(4, 64), string.subarray(i * 64, i * 64 + 64)])),
  )
  const { encoded } = definiteLengths(Buffer.concat([Buffer.of(0x24, 0x80), pieces, Buffer.of(0, 0)]))
  expect(createHash('sha256').update(encoded.subarray(-string.length)).digest('hex')).toBe(
    createHash('sha256').update(string).digest('hex'),
  )
})
