import { describe, expect, test } from 'vitest'
import { makeListSigner, signList, writeList } from '../../../../testing/trusted-lists.ts'
import type { ListSigner, ListText } from '../../../../testing/trusted-lists.ts'
import { utf8 } from '../../../../kernel/bytes.ts'
import { openList } from '../../domain/trusted-list/open-list.ts'
import { qualifiedStatus } from '../../domain/trusted-list/qualified-status.ts'
import { missingLists, readTrustedLists } from '../../domain/known/trusted-lists.ts'
import type { TrustedLists } from '../../domain/known/trusted-lists.ts'
import { readCertificate } from '../../domain/certificate/x509.ts'
import { collectTrustedLists } from './collect-trusted-lists.ts'
import type { Collected } from './collect-trusted-lists.ts'
import { FetchListError } from './fetch-list.ts'

const clock = { now: () => new Date('2026-11-20T00:00:00Z') }
const [commission, successor, austria, austriaNew, stranger, unit] = (await Promise.all(
  ['Commission', 'Successor', 'Austria', 'Austria 2', 'Stranger', 'Unit'].map(async (name) => await makeListSigner(name)),
)) as [ListSigner, ListSigner, ListSigner, ListSigner, ListSigner, ListSigner]

const origin = 'https://lists.example'
const lotlUrl = `${origin}/lotl.xml`
const journalUrl = 'https://journal.example/oj'
const journal = { journal: 'C/TEST', url: journalUrl, signers: [commission.sha256] }

const lotlText = (more: Partial<ListText> = {}): ListText => ({
  kind: 'lotl',
  territory: 'EU',
  number: 10,
  issued: '2026-11-01T00:00:00Z',
  next: '2027-05-01T00:00:00Z',
  uris: [journalUrl],
  pointers: [
    { territory: 'EU', url: lotlUrl, signers: [commission] },
    { territory: 'AT', url: `${origin}/at.xml`, signers: [austria] },
  ],
  ...more,
})
const nationalText = (more: Partial<ListText> = {}): ListText => ({
  kind: 'national',
  territory: 'AT',
  number: 5,
  issued: '2026-10-01T00:00:00Z',
  next: '2027-04-01T00:00:00Z',
  services: [
    {
      certificate: unit.certificate,
      history: [
        { since: '2026-01-01T00:00:00Z', status: 'withdrawn' },
        { since: '2018-01-01T00:00:00Z', status: 'granted' },
        { since: '2010-01-01T00:00:00Z', status: 'undersupervision' },
        { since: '2001-01-01T00:00:00Z', status: 'accredited' },
      ],
    },
  ],
  ...more,
})
const lotl = signList(writeList(lotlText()), commission)
const national = signList(writeList(nationalText()), austria)
const world = { '/lotl.xml': lotl, '/at.xml': national }

async function collect(files: Readonly<Record<string, string | Uint8Array>>, previous?: TrustedLists): Promise<Collected> {
  const fetch = (url: string): Promise<Uint8Array> => {
    const found = url.startsWith(origin) ? files[url.slice(origin.length)] : undefined
    if (found === undefined) return Promise.reject(new FetchListError('unreachable'))
    return Promise.resolve(typeof found === 'string' ? utf8(found) : found)
  }
  return await collectTrustedLists({ fetch, clock, lotlUrl, journal }, previous)
}

const flawOf = ({ outcomes }: Collected, territory: string) => outcomes.find((each) => each.territory === territory)?.flaw

test('lists and their history are read, and answer for each instant', async () => {
  const { lists, outcomes } = await collect(world)
  expect(outcomes).toEqual([
    { territory: 'EU', url: lotlUrl, state: 'fresh', flaw: null },
    { territory: 'AT', url: `${origin}/at.xml`, state: 'fresh', flaw: null },
  ])
  expect(readTrustedLists(JSON.parse(JSON.stringify(lists)))).toEqual(lists)
  expect(lists?.lists[0]?.services[0]).toMatchObject({
    provider: 'Provider & Co',
    // What stood when the Regulation began to apply, and since.
    history: [{ status: 'withdrawn' }, { status: 'granted' }, { status: 'undersupervision' }],
  })
  const signer = readCertificate(unit.certificate)
  const at = (instant: string) => {
    const { status, reason } = qualifiedStatus(signer, [], new Date(instant), lists)
    return `${status} ${reason}`
  }
  expect(at('2017-06-01T00:00:00Z')).toBe('not_qualified not_granted')
  expect(at('2018-01-01T00:00:00Z')).toBe('qualified granted')
  expect(at('2025-12-31T23:59:59Z')).toBe('qualified granted')
  expect(at('2026-01-01T00:00:00Z')).toBe('not_qualified not_granted')
  expect(at('2026-10-02T00:00:00Z')).toBe('indeterminate list_older')
})

describe('a change of those who sign', () => {
  const pivotText = lotlText({ number: 8, pointers: [{ territory: 'EU', url: lotlUrl, signers: [successor] }] })
  const pivot = signList(writeList(pivotText), commission)
  const next = signList(writeList(lotlText({ number: 11, uris: [`${origin}/pivot-8.xml`, journalUrl] })), successor)

  test('is told by a pivot', async () => {
    const { lists } = await collect({ ...world, '/lotl.xml': next, '/pivot-8.xml': pivot })
    expect(lists?.lotl).toMatchObject({ sequence_number: 11, signer_sha256: successor.sha256 })
  })

  test.each([
    ['a pivot that cannot be had', { '/lotl.xml': next }, 'unreachable'],
    ['a pivot of a stranger', { '/lotl.xml': next, '/pivot-8.xml': signList(writeList(pivotText), stranger) }, 'signer'],
    ['no pivot at all', { '/lotl.xml': signList(writeList(lotlText({ number: 11 })), successor) }, 'signer'],
    [
      'pivots that go backwards',
      {
        '/lotl.xml': signList(
          writeList(lotlText({ number: 11, uris: [`${origin}/pivot-7.xml`, `${origin}/pivot-8.xml`, journalUrl] })),
          successor,
        ),
        '/pivot-8.xml': pivot,
        '/pivot-7.xml': signList(writeList({ ...pivotText, number: 7 }), successor),
      },
      'pivots',
    ],
    [
      'a pivot of another server',
      {
        '/lotl.xml': signList(
          writeList(lotlText({ number: 11, uris: ['https://elsewhere.example/p.xml', journalUrl] })),
          commission,
        ),
      },
      'pivots',
    ],
  ] as const)('%s: nothing is taken', async (_title, files, flaw) => {
    const before = (await collect(world)).lists
    const found = await collect({ ...world, ...files }, before)
    expect(found.lists).toBe(before)
    expect(found.outcomes).toEqual([{ territory: 'EU', url: lotlUrl, state: 'kept', flaw }])
  })

  test('of a State ends what its old key signed, until its list is signed by the new one', async () => {
    const before = (await collect(world)).lists
    const named = signList(
      writeList(lotlText({ number: 11, pointers: [{ territory: 'AT', url: `${origin}/at.xml`, signers: [austriaNew] }] })),
      commission,
    )
    const between = await collect({ ...world, '/lotl.xml': named }, before)
    expect(between.outcomes[1]).toMatchObject({ territory: 'AT', state: 'missing', flaw: 'signer' })
    expect(between.lists === undefined ? [] : missingLists(between.lists)).toEqual(['AT'])
    const after = await collect(
      { '/lotl.xml': named, '/at.xml': signList(writeList(nationalText({ number: 6 })), austriaNew) },
      before,
    )
    expect(after.lists?.lists[0]).toMatchObject({ sequence_number: 6, signer_sha256: austriaNew.sha256 })
  })
})

describe('a list of lists that is not the one', () => {
  const changed = (more: Partial<ListText>) => signList(writeList(lotlText(more)), commission)
  test.each([
    ['signed by a stranger', signList(writeList(lotlText()), stranger), 'signer'],
    ['past its term', changed({ next: '2026-11-19T23:59:59Z' }), 'expired'],
    ['without a term', changed({ next: '' }), 'expired'],
    ['with a lower number', changed({ number: 9 }), 'rollback'],
    ['with the same number, issued before', changed({ issued: '2026-10-31T00:00:00Z' }), 'rollback'],
    ['of another kind', changed({ kind: 'national' }), 'type'],
    ['of a State', changed({ territory: 'AT' }), 'territory'],
    ['of an old version', changed({ version: 4 }), 'version'],
    ['cut short', lotl.slice(0, -30), 'malformed'],
    ['empty', '', 'malformed'],
    ['a page', '<!DOCTYPE html><html><body>Sorry</body></html>', 'malformed'],
  ])('%s', async (_title, text, flaw) => {
    const before = (await collect(world)).lists
    const found = await collect({ ...world, '/lotl.xml': text }, before)
    expect(flawOf(found, 'EU')).toBe(flaw)
    expect(found.lists).toBe(before)
  })
})

describe('a national list that is not the one', () => {
  const changed = (more: Partial<ListText>, signer = austria) => signList(writeList(nationalText(more)), signer)
  test.each([
    ['signed by a stranger', changed({ number: 6 }, stranger), 'signer'],
    ['signed by the Commission', changed({ number: 6 }, commission), 'signer'],
    ['of another State', changed({ number: 6, territory: 'BE' }), 'territory'],
    ['with a lower number', changed({ number: 4 }), 'rollback'],
    ['unsigned', writeList(nationalText({ number: 6 })), 'no_signature'],
    [
      'whose certificate is not the one named',
      signList(writeList(nationalText()), austria, { named: stranger }),
      'signing_certificate',
    ],
    ['changed after', national.replace('granted', 'withdrawn'), 'digest'],
    ['with an attribute more', national.replace('TSLTag=', 'x:y="z" TSLTag='), 'digest'],
    ['with the algorithm named otherwise', national.replace('#rsa-sha256', '#rsa-sha512'), 'signature_value'],
    ['with an algorithm of the past', national.replace('xmldsig-more#rsa-sha256', 'xmldsig#rsa-sha1'), 'algorithm'],
    ['by HMAC', national.replace('2001/04/xmldsig-more#rsa-sha256', '2000/09/xmldsig#hmac-sha1'), 'algorithm'],
    ['with comments kept', national.replaceAll('xml-exc-c14n#"', 'xml-exc-c14n#WithComments"'), 'transforms'],
    ['with a date that is none', changed({ number: 6, issued: '2026-13-01T00:00:00Z' }), 'malformed'],
  ])('%s: the one before stands', async (_title, text, flaw) => {
    const before = (await collect(world)).lists
    const found = await collect({ ...world, '/at.xml': text }, before)
    expect(found.outcomes[1]).toEqual({ territory: 'AT', url: `${origin}/at.xml`, state: 'kept', flaw })
    expect(found.lists?.lists).toEqual(before?.lists)
    expect((await collect({ ...world, '/at.xml': text })).lists?.lists).toEqual(flaw === 'rollback' ? [expect.anything()] : [])
  })

  test('an entry with a critical extension that nobody knows concludes nothing', async () => {
    const services = [
      {
        certificate: unit.certificate,
        history: [{ since: '2018-01-01T00:00:00Z', status: 'granted' }],
        extension: '<Extension Critical="true"><x:Unheard>of</x:Unheard></Extension>',
      },
    ]
    const { lists } = await collect({ ...world, '/at.xml': changed({ services }) })
    expect(qualifiedStatus(readCertificate(unit.certificate), [], new Date('2020-01-01T00:00:00Z'), lists)).toMatchObject({
      status: 'indeterminate',
      reason: 'unknown_extension',
    })
    const known = services.map((each) => ({ ...each, extension: each.extension.replace('true', 'false') }))
    const harmless = await collect({ ...world, '/at.xml': changed({ services: known }) })
    expect(
      qualifiedStatus(readCertificate(unit.certificate), [], new Date('2020-01-01T00:00:00Z'), harmless.lists),
    ).toMatchObject({
      status: 'qualified',
    })
  })
})

test('a list signed with RSASSA-PSS verifies, and another salt or digest does not', async () => {
  for (const keyType of ['rsa', 'rsa-pss'] as const) {
    const signer = await makeListSigner('Bundesnetzagentur', { keyType })
    const text = signList(writeList(nationalText()), signer, { pss: true })
    expect(openList(utf8(text), { kind: 'national', signers: new Set([signer.sha256]) })).toMatchObject({
      list: { sequence_number: 5 },
    })
    expect(openList(utf8(text.replace('sha256-rsa-MGF1', 'sha512-rsa-MGF1')), { kind: 'national' })).toBe('signature_value')
  }
})

describe('hostile XML is refused in bounded time and memory', () => {
  const start = '<TrustServiceStatusList xmlns="http://uri.etsi.org/02231/v2#">'
  const bomb = Array.from({ length: 12 }, (_, i) => `<!ENTITY e${i + 1} "${`&e${i};`.repeat(10)}">`).join('')
  test.each([
    ['an outside entity', `<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>${start}&x;</TrustServiceStatusList>`],
    ['an outside document type', `<!DOCTYPE a SYSTEM "http://127.0.0.1/a.dtd">${start}</TrustServiceStatusList>`],
    ['a billion laughs', `<!DOCTYPE a [<!ENTITY e0 "ha">${bomb}]>${start}&e12;</TrustServiceStatusList>`],
    ['an entity that is not declared', `${start}&nbsp;</TrustServiceStatusList>`],
    ['an instruction', `${start}<?php echo 1 ?></TrustServiceStatusList>`],
    ['a style sheet', `<?xml version="1.0"?><?xml-stylesheet href="a"?>${start}</TrustServiceStatusList>`],
    ['a million levels', '<a>'.repeat(1_000_000)],
    ['an attribute of many megabytes, not closed', `<a b="${'c'.repeat(10_000_000)}`],
    ['spaces without end', `<a${' '.repeat(10_000_000)}`],
    ['an end tag of spaces', `<a></a${' '.repeat(10_000_000)}x>`],
    ['a name without end', `<${'a'.repeat(10_000_000)}`],
    ['many attributes', `<a ${Array.from({ length: 100_000 }, (_, i) => `b${i}=""`).join(' ')}/>`],
    ['many namespaces', `<a ${Array.from({ length: 100_000 }, (_, i) => `xmlns:b${i}="c"`).join(' ')}/>`],
    ['two roots', `${start}</TrustServiceStatusList><a/>`],
    ['an attribute twice, by its namespace', '<a xmlns:b="c" xmlns:d="c" b:e="1" d:e="2"/>'],
    ['elements that overlap', '<a><b></a></b>'],
    ['a prefix of nothing', '<a:b/>'],
    ['an encoding of its own', '<?xml version="1.0" encoding="UTF-16"?><a/>'],
    ['a character that XML has not', '<a>\u0001</a>'],
    ['a reference to no character', '<a>&#0;</a>'],
    ['a comment within a comment', '<a><!-- -- --></a>'],
  ])('%s', (_title, text) => {
    expect(openList(utf8(text), {})).toBe('malformed')
  })

  test('bytes that are not UTF-8, and more of them than any list has', () => {
    expect(openList(Uint8Array.of(0x3c, 0x61, 0xff, 0x2f, 0x3e), {})).toBe('malformed')
    expect(openList(new Uint8Array((16 << 20) + 1).fill(0x20), {})).toBe('malformed')
  })
})

test('bytes changed at random never verify as something else', () => {
  const bytes = utf8(national)
  const sound = openList(bytes, { kind: 'national' })
  if (typeof sound === 'string') throw new Error(sound)
  let seed = 1
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % below
  }
  let unseen = 0
  for (let i = 0; i < 10_000; i += 1) {
    const altered = bytes.slice()
    for (let times = 1 + random(3); times > 0; times -= 1) altered[random(altered.length)] = random(256)
    const found = openList(altered, { kind: 'national' })
    if (typeof found === 'string') continue
    // A space between attributes, the form of a quote: what is not signed because it says nothing.
    unseen += 1
    expect(found.list).toEqual(sound.list)
  }
  expect(unseen).toBeLessThan(1000)
})
