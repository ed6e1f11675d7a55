import { createHash } from 'node:crypto'
import { PDFDocument } from '@cantoo/pdf-lib'
import { IntlMessageFormat } from 'intl-messageformat'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { utf8 } from '../../../../kernel/bytes.ts'
import { systemClock } from '../../../../kernel/clock.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { temporaryFolder, temporaryKeyring } from '../../../../testing/keyring.ts'
import { zipOf } from '../../../../testing/write-zip.ts'
import { createTimestampers, signPdf } from '../../../sealing/server/index.ts'
import { signDetached } from '../../../sealing/server/signed-data/sign-detached.ts'
import { proofWords as english } from '../../messages/proof-words.en.ts'
import { proofWords as french } from '../../messages/proof-words.fr.ts'
import type { Words } from '../describe/describe-check.ts'
import { describeProofCheck } from '../describe/describe-proof.ts'
import { verifyDossier } from './dossier.ts'
import type { DossierDeps } from './verify-units.ts'
import { fileOfBytes } from './dropped/dossier-units.ts'
import { platformKeysOf, writePublishedKeys } from '../known/published-keys.ts'
import type { PublishedKeys } from '../known/published-keys.ts'
import type { PlatformKeys } from '../known/verify-deps.ts'
import type { ProofReport } from '../report/proof-report.ts'
import { verifyForm } from '../proof/verify-form.ts'

type Platform = {
  readonly published: PublishedKeys
  readonly keys: PlatformKeys
  readonly roots: Uint8Array
  /** What it makes, each given alone. */
  readonly made: Readonly<Record<Made, Uint8Array>>
}
type Made = 'report.pdf' | 'stamp.tsr' | 'signature.p7s' | 'signed.asics' | 'stamped.asics'
const letter = utf8('a letter')

let folders: Awaited<ReturnType<typeof temporaryFolder>>[]
let own: Platform
let stranger: Platform

async function platformIn(dir: string): Promise<Platform> {
  const keyring = await temporaryKeyring(dir)
  const clock = systemClock
  const timestampers = createTimestampers({ urls: [], keyring, clock, log: silentLog })
  const [authority] = timestampers
  if (authority === undefined) throw new Error('no authority')
  const document = await PDFDocument.create()
  document.addPage([200, 200])
  const stamp = await authority.timestamp(createHash('sha256').update(letter).digest())
  const signer = await keyring.signer('platform')
  const signature = await signDetached(letter, signer, clock.now())
  const container = (path: string, bytes: Uint8Array) =>
    zipOf([
      { path: 'mimetype', bytes: utf8('application/vnd.etsi.asic-s+zip') },
      { path: 'letter.txt', bytes: letter },
      { path, bytes },
    ])
  const published = await keyring.publishedKeys({})
  const pem = (der: Uint8Array) =>
    `-----BEGIN CERTIFICATE-----\n${Buffer.from(der).toString('base64')}\n-----END CERTIFICATE-----\n`
  return {
    published,
    keys: platformKeysOf(published),
    roots: utf8([signer.chain.at(-1), stamp.chain.at(-1)].map((root) => pem(root ?? new Uint8Array())).join('')),
    made: {
      'report.pdf': await signPdf(await document.save(), { keyring, timestampers, clock, reason: 'Seal' }),
      'stamp.tsr': stamp.response,
      'signature.p7s': signature,
      'signed.asics': container('META-INF/signature.p7s', signature),
      'stamped.asics': container('META-INF/timestamp.tst', stamp.token),
    },
  }
}

beforeAll(async () => {
  folders = [await temporaryFolder(), await temporaryFolder()]
  const [first, second] = await Promise.all(folders.map(({ dir }) => platformIn(dir)))
  if (first === undefined || second === undefined) throw new Error('no platform')
  ;[own, stranger] = [first, second]
}, 60_000)
afterAll(async () => await Promise.all(folders.map(async (folder) => await folder.remove())))

/** The proof alone, with the digest of what it is over where it is detached; whatever else is given along. */
async function verify(
  of: Platform,
  name: Made,
  given: Partial<DossierDeps> = {},
  along: Readonly<Record<string, Uint8Array>> = {},
): Promise<ProofReport> {
  const files = Object.entries({ [name]: of.made[name], ...along })
  const dossier = await verifyDossier(
    files.map(([path, bytes]) => fileOfBytes(path, bytes)),
    { now: () => new Date(), fields: { digest: createHash('sha256').update(letter).digest('hex') }, ...given },
  )
  const item = dossier.items.find((each) => each.name === name)
  if (item?.result.form !== 'proof') throw new Error(`${name} is no proof`)
  return item.result.report
}

/** What does not hold, and on what the rest rests. */
const findings = ({ verdict, checks }: ProofReport): string[] => [
  verdict ?? 'none',
  ...checks
    .filter(({ status, supplementary }) => status !== 'passed' && supplementary !== true)
    .map(({ id, data }) => `${id} ${data['reason']}`),
]
const vouchers = ({ checks }: ProofReport) => [
  ...new Set(checks.flatMap(({ id, data }) => (id.endsWith('trust') && data['by'] !== undefined ? [data['by']] : []))),
]
const names: readonly Made[] = ['report.pdf', 'stamp.tsr', 'signature.p7s', 'signed.asics', 'stamped.asics']
/** In a PDF who signed and who dated are two questions. */
const unvouched = (name: Made, reason = 'no_roots') => [
  'INDETERMINATE',
  ...(name === 'report.pdf'
    ? [`time_trust ${reason}`, `time_trust ${reason}`, `trust ${reason}`].toSorted((a, b) => (a < b ? -1 : 1))
    : [`trust ${reason}`]),
]
const sorted = ([verdict = '', ...rest]: readonly string[]) => [verdict, ...rest.toSorted((a, b) => (a < b ? -1 : 1))]

function wordsOf(all: Readonly<Record<string, string>>, tag: string): Words {
  return {
    has: (id) => Object.hasOwn(all, id),
    instant: (iso) => iso,
    format: (id, values) => String(new IntlMessageFormat(all[id] ?? '', tag).format({ ...values })),
  }
}

test.each(names)(
  '%s given alone: nobody vouches until the published keys are at hand; then it holds, unqualified',
  async (name) => {
    expect(sorted(findings(await verify(own, name)))).toEqual(unvouched(name))
    const report = await verify(own, name, { keys: own.keys })
    expect(findings(report)).toEqual(['TOTAL-PASSED'])
    expect(vouchers(report)).toEqual(['published'])
    // What the platform says of itself makes it no authority that dates independently of it, and no qualified one.
    for (const check of report.checks.filter(({ id }) => id.endsWith('trust'))) {
      const { sentence } = describeProofCheck(report.kind, check, wordsOf(english, 'en-GB'))
      expect(sentence).toMatch(/this platform publishes as its own: .*it is not qualified/)
      expect(describeProofCheck(report.kind, check, wordsOf(french, 'fr-FR')).sentence).toContain('elle n’est pas qualifiée')
    }
    const relied = new Set([...report.checks, ...report.dates].flatMap(({ rests_on }) => rests_on ?? []))
    for (const each of ['time_authority', 'trusted_list'] as const) expect(relied.has(each)).toBe(false)
    expect(relied.has('platform')).toBe(true)
    expect(report.dates.filter(({ qualified }) => qualified === true)).toEqual([])
  },
)

test.each(names)('%s: the keys of another platform, and a stranger under these, change nothing', async (name) => {
  expect(sorted(findings(await verify(own, name, { keys: stranger.keys })))).toEqual(unvouched(name))
  expect(sorted(findings(await verify(stranger, name, { keys: own.keys })))).toEqual(unvouched(name))
})

test.each(names)('%s: roots of the reader are the only ones that count', async (name) => {
  const given = await verify(own, name, { keys: own.keys, trust: own.roots })
  expect([...findings(given), ...vouchers(given)]).toEqual(['TOTAL-PASSED', 'given'])
  const refused = await verify(own, name, { keys: own.keys, trust: stranger.roots })
  expect(sorted(findings(refused))).toEqual(unvouched(name, 'not_among_roots'))
})

test('an authority that signs does not date, nor the other way round', async () => {
  const { authorities = [], timeAuthorities = [] } = own.keys
  const exchanged = { ...own.keys, authorities: timeAuthorities, timeAuthorities: authorities }
  for (const name of names) expect(sorted(findings(await verify(own, name, { keys: exchanged })))).toEqual(unvouched(name))
})

test('published keys that were dropped along vouch; those in an archive with the proof do not', async () => {
  const list = utf8(writePublishedKeys(own.published))
  const dropped = await verify(own, 'report.pdf', {}, { 'probant-keys.json': list })
  expect([...findings(dropped), ...vouchers(dropped)]).toEqual(['TOTAL-PASSED', 'published'])
  const packed = await verify(own, 'report.pdf', {}, { 'keys.zip': zipOf([{ path: 'probant-keys.json', bytes: list }]) })
  expect(sorted(findings(packed))).toEqual(unvouched('report.pdf'))
  // Dropped keys stand in place of those that the page has of its own platform.
  const elsewhere = utf8(writePublishedKeys(stranger.published))
  expect(sorted(findings(await verify(own, 'report.pdf', { keys: own.keys }, { 'keys.json': elsewhere })))).toEqual(
    unvouched('report.pdf'),
  )
})

test('a call of the server knows the keys that its own platform publishes', async () => {
  const asked = { form: 'eidas', proof: Buffer.from(own.made['stamp.tsr']).toString('base64'), text: 'a letter' } as const
  const judged = async (keys?: PlatformKeys) =>
    findings(await verifyForm(asked, { now: () => new Date(), ...(keys === undefined ? {} : { keys }) }))
  expect(await judged(own.keys)).toEqual(['TOTAL-PASSED'])
  expect(await judged(stranger.keys)).toEqual(unvouched('stamp.tsr'))
})
