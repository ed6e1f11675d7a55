import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { DOMParser } from '@xmldom/xmldom'
import { expect, test } from 'vitest'
import { ExclusiveCanonicalization } from 'xml-crypto'
import { utf8 } from '../../../../kernel/bytes.ts'
import { readPublished } from '../../../../testing/published/read-published.ts'
import type { PublishedFile } from '../../../../testing/published/read-published.ts'
import { verifyDossier } from '../../domain/dossier/dossier.ts'
import { canonical } from '../../domain/xml/canonicalise.ts'
import { journalSigners, lotlAddress } from '../../domain/trusted-list/journal-signers.ts'
import { openList } from '../../domain/trusted-list/open-list.ts'
import { readXml } from '../../domain/xml/read-xml.ts'
import { missingLists } from '../../domain/known/trusted-lists.ts'
import { verifyTimestampProof } from '../../domain/timestamp/verify-timestamp-proof.ts'
import { verifyTrustedList } from '../../domain/trusted-list/verify-trusted-list.ts'
import { collectTrustedLists } from './collect-trusted-lists.ts'
import { FetchListError } from './fetch-list.ts'
import { shippedLists } from './shipped-lists.ts'

const published = JSON.parse(readFileSync(new URL('./published.json', import.meta.url), 'utf8')) as Readonly<
  Record<string, PublishedFile>
>
const files = new Map(
  await Promise.all(Object.entries(published).map(async ([name, file]) => [name, await readPublished(file)] as const)),
)
const vector = (name: string): Uint8Array => files.get(name) ?? new Uint8Array()
const real = new Map(
  [...files].map(([name, bytes]) => [
    name,
    name.endsWith('.xml') ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes) : '',
  ]),
)
const listOf = (name: string) => utf8(real.get(name) ?? '')
const now = () => new Date('2026-11-21T00:00:00Z')
const { lists: shipped } = shippedLists()

/** OJ C 276, 16.8.2019, p. 1. */
const journal2019 = {
  journal: '2019/C 276/01',
  url: 'https://eur-lex.europa.eu/legal-content/EN/TXT/?uri=uriserv:OJ.C_.2019.276.01.0001.01.ENG',
  signers: [
    'VACrcSxBqvDEC1BeJk1UlNivQYD49ilV0WIjsykPl8M=',
    'nBo7ZG6vEyOY7zGeQcjn7XJbZNV3JYCuEl1ZwPaEVjA=',
    'WaG/KQuBixd61hrEs+bc3dRtptW+lXn4VkrepvLPBz4=',
    'jlCPA7EyUAw0A9tm6d05zXj0ZXyECVinfTTnvWIUaOc=',
    'waN9tIzV4Eebl/TeMuOnRwxSqvuUwWVu9W+XUDmSyKc=',
    '0gZP3XD2mC3MUWuG2dXFauqTlBfGJLLkeMCyneVPhHQ=',
    'Q1UEv9gC7fTbCMvXx3KaDUWyJ3l7cn5ObqHTFoQWY0I=',
    'zNh5s2u1U2hb7L0SkBx/Qfe9Pgf4mPy74e7EVrA9dYk=',
  ].map((digest) => Buffer.from(digest, 'base64').toString('hex')),
}

test.each([
  ['TSL_IS.xml', 39, '2026-03-02T11:18:09Z'],
  ['TSL_LI.xml', 45, '2025-05-23T05:34:04Z'],
  ['TSL_LU.xml', 66, '2026-05-20T05:02:52Z'],
  ['TSL_EL.xml', 85, '2026-04-14T11:30:07Z'],
  ['TSL_HU.xml', 99, '2026-07-15T09:00:00Z'],
  ['TSL_FR.xml', 174, '2026-04-16T13:10:48Z'],
  ['TSL_SK.xml', 145, '2026-08-17T12:00:00Z'],
])('%s, as its State published it: signature and signer hold, and it is what the snapshot was made from', (name, number, at) => {
  const territory = name.slice(4, 6)
  const pointer = shipped.pointers.find((each) => each.territory === territory)
  const opened = openList(listOf(name), { kind: 'national', territory, signers: new Set(pointer?.signers) })
  if (typeof opened === 'string') throw new Error(opened)
  expect(opened.list).toMatchObject({ sequence_number: number, issued_at: at, territory })
  // Counted without our reader.
  const blocks = (real.get(name) ?? '').match(/<(?:\w+:)?TSPService>[\s\S]*?<\/(?:\w+:)?TSPService>/g) ?? []
  const dating = blocks.filter((each) => /Svctype\/TSA(?:\/QTST)?\s*</.test(each))
  expect(opened.list.services.filter((each) => each.keys.length > 0)).toHaveLength(dating.length)
  const inSnapshot = shipped.lists.find((each) => each.territory === territory)
  expect(inSnapshot).toMatchObject({
    sha256: createHash('sha256').update(listOf(name)).digest('hex'),
    signer_sha256: opened.signer.sha256,
  })
  expect(inSnapshot?.services).toEqual(opened.list.services)
})

test('the shipped snapshot starts from the Official Journal, and says which lists it lacks', () => {
  const lotl = openList(listOf('eu-lotl-390.xml'), { kind: 'lotl', territory: 'EU', signers: new Set(journalSigners.signers) })
  if (typeof lotl === 'string') throw new Error(lotl)
  expect(shipped.lotl).toMatchObject({ sequence_number: 390, sha256: lotl.sha256, journal: 'C/2026/1944' })
  const self = lotl.list.pointers.find(({ territory }) => territory === 'EU')
  expect(new Set(self?.signers)).toEqual(new Set(journalSigners.signers))
  expect(missingLists(shipped)).toEqual(['DE'])
})

test('the pivots of the real list of lists lead from one publication of the Official Journal to the signers of 2025', async () => {
  const lotlOnly = async (names: Readonly<Record<string, string>>) =>
    await collectTrustedLists(
      {
        fetch: (url) => {
          const name = url === lotlAddress ? names['lotl'] : (names[url] ?? url.split('/').at(-1))
          const text = real.get(name ?? '')
          return text === undefined ? Promise.reject(new FetchListError('unreachable')) : Promise.resolve(utf8(text))
        },
        clock: { now },
        lotlUrl: lotlAddress,
        journal: journal2019,
        acceptExpired: true,
      },
      undefined,
    )
  const { lists, outcomes } = await lotlOnly({ lotl: 'eu-lotl-370.xml' })
  expect(outcomes[0]).toMatchObject({ territory: 'EU', state: 'fresh', flaw: null })
  expect(lists?.lotl).toMatchObject({ sequence_number: 370, journal: '2019/C 276/01' })
  // Without one of them, or with another in its place, nobody vouches for those who sign today.
  const pivot = (number: number) => `https://ec.europa.eu/tools/lotl/eu-lotl-pivot-${number}.xml`
  expect((await lotlOnly({ lotl: 'eu-lotl-370.xml', [pivot(335)]: 'none' })).outcomes[0]).toMatchObject({ flaw: 'unreachable' })
  expect((await lotlOnly({ lotl: 'eu-lotl-370.xml', [pivot(335)]: 'eu-lotl-pivot-341.xml' })).outcomes[0]).toMatchObject({
    flaw: 'signer',
  })
  expect((await lotlOnly({ lotl: 'eu-lotl-370.xml', [pivot(341)]: 'eu-lotl-pivot-300.xml' })).outcomes[0]).toMatchObject({
    flaw: 'pivots',
  })
})

test.each([
  ['Svcstatus/granted', 'Svcstatus/withdrawn'],
  ['>39<', '>40<'],
  ['TSLTag="http', 'TSLTag="https'],
  ['</SchemeInformation>', '\t</SchemeInformation>'],
])('%s made %s in a real list is seen', (from, to) => {
  const text = real.get('TSL_IS.xml') ?? ''
  expect(openList(utf8(text), { kind: 'national' })).toMatchObject({ list: { territory: 'IS' } })
  expect(text).toContain(from)
  expect(openList(utf8(text.replace(from, to)), { kind: 'national' })).toBe('digest')
})

test('our canonical form is the one of a library that is not ours', () => {
  for (const name of ['TSL_IS.xml', 'TSL_LI.xml', 'TSL_LU.xml']) {
    const text = real.get(name) ?? ''
    const theirs = new ExclusiveCanonicalization().process(new DOMParser().parseFromString(text, 'text/xml').documentElement, {
      ancestorNamespaces: [],
      inclusiveNamespacesPrefixList: [],
    })
    const ours = canonical(readXml(utf8(text)))
    expect(createHash('sha256').update(ours).digest('hex')).toBe(createHash('sha256').update(theirs).digest('hex'))
  }
})

test('a real token of 2019 is qualified at its instant by the real list of Slovakia, and says by which', async () => {
  const report = await verifyTimestampProof({ token: vector('disig.tst') }, { now, trustedLists: shipped })
  expect(report.checks.find(({ id }) => id === 'qualified')).toMatchObject({
    status: 'passed',
    data: { territory: 'SK', number: 145, at: '2026-08-17T12:00:00Z', provider: 'Disig, a.s.', since: '2017-10-26T00:00:00Z' },
  })
  const without = await verifyTimestampProof({ token: vector('disig.tst') }, { now })
  expect(without.checks.find(({ id }) => id === 'qualified')).toMatchObject({
    status: 'indeterminate',
    supplementary: true,
    data: { reason: 'qualified_no_list' },
  })
})

test.each([
  // Its State's list is not at hand: nothing is concluded, though it most likely was.
  ['d-trust.tsr', 'qualified_list_missing'],
  // A test authority of ETSI that calls itself French: France lists it nowhere.
  ['archive_timestamp.tst', 'qualified_not_listed'],
])('%s is not said to be qualified: %s', async (name, reason) => {
  const report = await verifyTimestampProof({ token: vector(name) }, { now, trustedLists: shipped })
  expect(report.checks.find(({ id }) => id === 'qualified')).toMatchObject({ status: 'indeterminate', data: { reason } })
})

test('with no network and nothing known, lists given along conclude as much: from the Official Journal down', async () => {
  const file = (path: string, bytes: Uint8Array) => ({
    path,
    size: bytes.length,
    read: async (at: number, length: number) => bytes.subarray(at, at + length),
  })
  const qualifiedOf = async (files: readonly ReturnType<typeof file>[], known?: typeof shipped) => {
    const dossier = await verifyDossier([...files, file('disig.tst', vector('disig.tst'))], {
      now,
      ...(known === undefined ? {} : { trustedLists: known }),
    })
    const item = dossier.items.find(({ name }) => name === 'disig.tst')
    const checks = item?.result.form === 'proof' ? item.result.report.checks : []
    const found = checks.find(({ id }) => id === 'qualified')
    return [found?.status, found?.data['reason'] ?? found?.data['number']]
  }
  const lotl = file('eu-lotl.xml', listOf('eu-lotl-390.xml'))
  const slovakia = file('sk.xml', listOf('TSL_SK.xml'))
  expect(await qualifiedOf([])).toEqual(['indeterminate', 'qualified_no_list'])
  expect(await qualifiedOf([slovakia])).toEqual(['indeterminate', 'qualified_no_list'])
  expect(await qualifiedOf([lotl])).toEqual(['indeterminate', 'qualified_list_missing'])
  expect(await qualifiedOf([slovakia, lotl])).toEqual(['passed', 145])
  // A list of lists whose signers the Official Journal does not name starts nothing; an altered list adds nothing.
  expect(await qualifiedOf([slovakia, file('old.xml', listOf('eu-lotl-pivot-335.xml'))])).toEqual([
    'indeterminate',
    'qualified_no_list',
  ])
  const altered = utf8((real.get('TSL_SK.xml') ?? '').replace('>145<', '>146<'))
  expect(await qualifiedOf([lotl, file('sk.xml', altered)])).toEqual(['indeterminate', 'qualified_list_missing'])
  // What is known and newer stands.
  expect(await qualifiedOf([slovakia], shipped)).toEqual(['passed', 145])
  const before = { ...shipped, lists: shipped.lists.filter(({ territory }) => territory !== 'SK') }
  expect(await qualifiedOf([], before)).toEqual(['indeterminate', 'qualified_list_missing'])
  expect(await qualifiedOf([slovakia], before)).toEqual(['passed', 145])
})

test('a list that somebody has at hand is verified against those who may sign it', async () => {
  const list = listOf('TSL_FR.xml')
  const known = await verifyTrustedList({ list }, { now, trustedLists: shipped })
  expect(known.verdict).toBe('TOTAL-PASSED')
  expect(known.checks.map(({ id, status, data }) => [id, status, data['reason'] ?? ''])).toEqual([
    ['form', 'passed', ''],
    ['signature', 'passed', ''],
    ['signer', 'passed', ''],
    ['current', 'indeterminate', 'expired'],
    ['known', 'passed', ''],
  ])
  expect((await verifyTrustedList({ list }, { now })).verdict).toBe('INDETERMINATE')
  expect((await verifyTrustedList({ list: listOf('eu-lotl-390.xml') }, { now })).verdict).toBe('TOTAL-PASSED')
  expect(
    (await verifyTrustedList({ list: listOf('eu-lotl-370.xml') }, { now, trustedLists: shipped })).checks.at(-1),
  ).toMatchObject({
    data: { reason: 'older', number: 390 },
  })
  expect((await verifyTrustedList({ list: list.slice(0, -9) }, { now })).unusable).toBe(true)
})

test.each([
  ['its form', (text: string) => text.slice(0, -9), 'form', 'failed'],
  ['its content', (text: string) => text.replace('</SchemeInformation>', ' </SchemeInformation>'), 'signature', 'failed'],
  ['no signature', (text: string) => text.replace(/<ds:Signature [\s\S]*<\/ds:Signature>/, ''), 'signature', 'failed'],
  ['nothing', (text: string) => text, 'signer', 'passed'],
])('a list with %s changed fails by that, and by nothing else', async (_title, alter, id, status) => {
  const text = alter(real.get('TSL_IS.xml') ?? '')
  const report = await verifyTrustedList({ list: utf8(text) }, { now, trustedLists: shipped })
  expect(report.checks.find((each) => each.id === id)?.status).toBe(status)
  expect(report.checks.filter((each) => each.status === 'failed').map((each) => each.id)).toEqual(status === 'failed' ? [id] : [])
})
