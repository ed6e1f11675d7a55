import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { makeListSigner, signList, writeList } from '../../../../testing/trusted-lists.ts'
import type { ListSigner } from '../../../../testing/trusted-lists.ts'
import { utf8 } from '../../../../kernel/bytes.ts'
import { verifyDossier } from '../../domain/dossier/dossier.ts'
import { withGivenLists } from '../../domain/trusted-list/given-lists.ts'
import { qualifiedStatus } from '../../domain/trusted-list/qualified-status.ts'
import { missingLists } from '../../domain/known/trusted-lists.ts'
import type { TrustedLists } from '../../domain/known/trusted-lists.ts'
import { verifyTrustedList } from '../../domain/trusted-list/verify-trusted-list.ts'
import { readCertificate } from '../../domain/certificate/x509.ts'
import { shippedLists } from './shipped-lists.ts'

/** A list of lists and a State's list that a reader has at hand, with nothing else known: written and signed here. */
const now = new Date('2026-11-21T00:00:00Z')
const [commission, austria, stranger, unit] = (await Promise.all(
  ['Commission', 'Austria', 'Stranger', 'Unit'].map(async (name) => await makeListSigner(name)),
)) as [ListSigner, ListSigner, ListSigner, ListSigner]
const journal = { journal: 'C/TEST', url: 'https://journal.example/oj', signers: [commission.sha256] }
const lotlOf = (number: number, signer = commission) =>
  utf8(
    signList(
      writeList({
        kind: 'lotl',
        territory: 'EU',
        number,
        issued: '2026-11-01T00:00:00Z',
        next: '2027-05-01T00:00:00Z',
        uris: [journal.url],
        pointers: [{ territory: 'AT', url: 'https://lists.example/at.xml', signers: [austria] }],
      }),
      signer,
    ),
  )
const nationalOf = (number: number, next = '2027-04-01T00:00:00Z', signer = austria) =>
  utf8(
    signList(
      writeList({
        kind: 'national',
        territory: 'AT',
        number,
        issued: '2026-10-01T00:00:00Z',
        next,
        services: [{ certificate: unit.certificate, history: [{ since: '2018-01-01T00:00:00Z', status: 'granted' }] }],
      }),
      signer,
    ),
  )
const lotl = lotlOf(10)
const national = nationalOf(5)
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
async function* each(lists: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* await Promise.resolve(lists)
}
const given = async (lists: readonly Uint8Array[], known?: TrustedLists) => await withGivenLists(known, each(lists), now, journal)
const statusBy = (lists: TrustedLists | undefined) =>
  qualifiedStatus(readCertificate(unit.certificate), [], new Date('2020-01-01T00:00:00Z'), lists).status

test('lists given along conclude from the Official Journal down, whatever their order', async () => {
  for (const lists of [
    [national, lotl],
    [lotl, national],
  ]) {
    const found = await given(lists)
    expect([found?.lotl.sequence_number, found?.lists[0]?.sequence_number, statusBy(found)]).toEqual([10, 5, 'qualified'])
  }
  expect(await given([])).toBeUndefined()
  expect(await given([national])).toBeUndefined()
  expect(statusBy(await given([lotl]))).toBe('indeterminate')
})

test('what nobody may have signed, and what was altered, adds nothing', async () => {
  expect(await given([lotlOf(10, stranger), national])).toBeUndefined()
  expect(await given([utf8(text(lotl).replace('>10<', '>11<')), national])).toBeUndefined()
  expect((await given([lotl, nationalOf(5, undefined, stranger)]))?.lists).toEqual([])
  expect((await given([lotl, utf8(text(national).replace('>5<', '>6<'))]))?.lists).toEqual([])
})

test('what is known and newer stands', async () => {
  const known = await given([lotl, national])
  expect(await given([lotlOf(9), nationalOf(4)], known)).toBe(known)
  expect((await given([nationalOf(6)], known))?.lists[0]?.sequence_number).toBe(6)
  expect((await given([lotlOf(11)], known))?.lotl.sequence_number).toBe(11)
})

test('lists beside a stamp start nothing when the Official Journal does not name their signer', async () => {
  const file = (path: string, bytes: Uint8Array) => ({
    path,
    size: bytes.length,
    read: async (at: number, length: number) => bytes.subarray(at, at + length),
  })
  const stamp = new Uint8Array(readFileSync(new URL('../../../../testing/proof-vectors/timestamp/good.tsr', import.meta.url)))
  const dossier = await verifyDossier([file('lotl.xml', lotl), file('at.xml', national), file('stamp.tsr', stamp)], {
    now: () => now,
  })
  const item = dossier.items.find(({ name }) => name === 'stamp.tsr')
  const checks = item?.result.form === 'proof' ? item.result.report.checks : []
  expect(checks.find(({ id }) => id === 'qualified')).toMatchObject({
    status: 'indeterminate',
    data: { reason: 'qualified_no_list' },
  })
  expect(dossier.items.map(({ kind }) => kind)).toEqual(['trusted_list', 'trusted_list', 'timestamp'])
})

test('the shipped snapshot says which lists it lacks', () => {
  const { lists } = shippedLists()
  expect(lists.lotl).toMatchObject({ sequence_number: 390, journal: 'C/2026/1944' })
  expect(missingLists(lists)).toEqual(['DE'])
})

test('a list at hand is verified against those who may sign it', async () => {
  const known = await given([lotl, national])
  const deps = { now: () => now, ...(known === undefined ? {} : { trustedLists: known }) }
  const said = async (list: Uint8Array, more = deps) =>
    (await verifyTrustedList({ list }, more)).checks.map(({ id, status, data }) =>
      [id, status, data['reason'] ?? ''].join(' ').trim(),
    )
  expect(await said(national)).toEqual(['form passed', 'signature passed', 'signer passed', 'current passed', 'known passed'])
  expect((await verifyTrustedList({ list: national }, deps)).bound).toEqual([
    { algorithm: 'sha256', hex: createHash('sha256').update(national).digest('hex'), of: 'file' },
  ])
  expect((await verifyTrustedList({ list: national }, deps)).verdict).toBe('TOTAL-PASSED')
  expect((await verifyTrustedList({ list: lotl }, deps)).verdict).toBe('TOTAL-PASSED')
  expect((await said(nationalOf(6, '2026-11-01T00:00:00Z'))).slice(2)).toEqual([
    'signer passed',
    'current indeterminate expired',
    'known indeterminate newer',
  ])
  expect((await said(nationalOf(4))).at(-1)).toBe('known indeterminate older')
  expect((await said(nationalOf(5, '2027-04-02T00:00:00Z'))).at(-1)).toBe('known indeterminate differs')
  expect((await said(nationalOf(5, undefined, stranger)))[2]).toBe('signer indeterminate other_signer')
  expect((await said(national, { now: () => now }))[2]).toBe('signer indeterminate no_list')
  expect((await verifyTrustedList({ list: national.slice(0, -9) }, deps)).unusable).toBe(true)
})

test.each([
  ['its form', (list: string) => list.slice(0, -9), 'form'],
  ['its content', (list: string) => list.replace('</SchemeInformation>', ' </SchemeInformation>'), 'signature'],
  ['its number', (list: string) => list.replace('>5<', '>6<'), 'signature'],
  ['a status', (list: string) => list.replace('Svcstatus/granted', 'Svcstatus/withdrawn'), 'signature'],
  ['no signature', (list: string) => list.replace(/<ds:Signature [\s\S]*<\/ds:Signature>/, ''), 'signature'],
])('a list with %s changed fails by that, and by nothing else', async (_title, alter, id) => {
  const known = await given([lotl, national])
  const list = utf8(alter(text(national)))
  expect(text(list)).not.toBe(text(national))
  const report = await verifyTrustedList({ list }, { now: () => now, ...(known === undefined ? {} : { trustedLists: known }) })
  expect(report.checks.filter((check) => check.status === 'failed').map((check) => check.id)).toEqual([id])
})
