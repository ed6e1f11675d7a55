import { readdir, readFile } from 'node:fs/promises'
import { IntlMessageFormat } from 'intl-messageformat'
import { expect, test } from 'vitest'
import english from '../../messages/en.json' with { type: 'json' }
import french from '../../messages/fr.json' with { type: 'json' }
import { proofWords as proofEnglish } from '../../messages/proof-words.en.ts'
import { proofWords as proofFrench } from '../../messages/proof-words.fr.ts'
import cmsEn from '../../messages/cms.en.json' with { type: 'json' }
import cmsFr from '../../messages/cms.fr.json' with { type: 'json' }
import timestampEn from '../../messages/timestamp.en.json' with { type: 'json' }
import timestampFr from '../../messages/timestamp.fr.json' with { type: 'json' }
import { cmsCheckIds, cmsFactIds, verifyCms } from '../cades/verify-cms.ts'
import type { Words } from '../describe/describe-check.ts'
import { describeFact, describeProofCheck } from '../describe/describe-proof.ts'
import type { VerifyDeps } from '../known/verify-deps.ts'
import type { ProofReport } from '../report/proof-report.ts'
import { anomalies } from '../cms/read-cms.ts'
import { qualifiedReasons } from '../trusted-list/qualified-status.ts'
import { refusals } from './read-response.ts'
import { timestampFactIds } from './timestamp-facts.ts'
import { timestampCheckIds, verifyTimestampProof } from './verify-timestamp-proof.ts'

const kinds = [
  { kind: 'timestamp', checks: timestampCheckIds, facts: timestampFactIds, en: timestampEn, fr: timestampFr },
  { kind: 'cms', checks: cmsCheckIds, facts: cmsFactIds, en: cmsEn, fr: cmsFr },
] as const

/** Reasons as the code writes them. */
async function reasonsIn(folder: string): Promise<Set<string>> {
  const found = new Set<string>()
  const at = new URL(`../${folder}/`, import.meta.url)
  for (const name of await readdir(at)) {
    if (!name.endsWith('.ts') || name.endsWith('.test.ts')) continue
    const text = await readFile(new URL(name, at), 'utf8')
    for (const [, expression = ''] of text.matchAll(/reason(?::| =) ([^\n]*)/g))
      for (const [, reason = ''] of expression.matchAll(/'([a-z][a-z_]+)'/g)) found.add(reason)
    for (const [, reason = ''] of text.matchAll(/(?:fail|unusable|return)\(?\s*'([a-z]+(?:_[a-z0-9]+)+)'/g)) found.add(reason)
  }
  return found
}

test.each(kinds)('every check, reason and fact of $kind has words in both languages', async ({ kind, checks, facts, en, fr }) => {
  const id = (rest: string): string => `verification.proof.${kind}.${rest}`
  const wanted = [
    ...checks.flatMap((check) => ['title', 'passed', 'failed', 'indeterminate'].map((end) => id(`${check}.${end}`))),
    ...facts.map((fact) => id(`fact.${fact}`)),
    ...anomalies.map((anomaly) => id(`reason.${anomaly}`)),
    ...(kind === 'timestamp'
      ? [...refusals, ...qualifiedReasons.filter((each) => each !== 'granted').map((each) => `qualified_${each}`)]
      : []
    ).map((reason) => id(`reason.${reason}`)),
  ]
  for (const words of [en, fr]) expect(wanted.filter((each) => !Object.hasOwn(words, each))).toEqual([])
  expect(Object.keys(fr)).toEqual(Object.keys(en))
})

test('every reason that the code writes has words', async () => {
  const rooms = ['certificate', 'cms', 'cades', 'timestamp']
  const shared = (await Promise.all(rooms.map(reasonsIn))).flatMap((reasons) => [...reasons])
  expect(shared.length).toBeGreaterThan(50)
  const known = new Set(
    [...Object.keys(timestampEn), ...Object.keys(cmsEn)].flatMap(
      (key) => (/\.reason\.(.+)$/.exec(key)?.[1] ?? []) as string[] | string,
    ),
  )
  // Values of other members that a line with a reason also has.
  const others = new Set([
    'now',
    'crl',
    'none',
    'not_qualified_type',
    'unknown',
    'replaced',
    'failed',
    'indeterminate',
    'path_length',
  ])
  expect(shared.filter((reason) => !known.has(reason) && !others.has(reason))).toEqual([])
})

test('both languages interpolate the same values', () => {
  const values = (text: string): string[] =>
    [...new Set([...text.matchAll(/\{([a-z_0-9]+)[,}]/g)].map(([, name = '']) => name))].toSorted()
  for (const { en, fr } of kinds)
    for (const [key, text] of Object.entries(en))
      expect([key, values((fr as Record<string, string>)[key] ?? '')]).toEqual([key, values(text)])
})

/** Every value that a sentence asks for must be there: a missing one throws. */
function wordsOf(locale: 'en' | 'fr', messages: Readonly<Record<string, string>>): Words {
  return {
    has: (id) => Object.hasOwn(messages, id),
    format: (id, values) => String(new IntlMessageFormat(messages[id] ?? '', locale).format(values)),
    instant: (iso) => iso,
  }
}

test('every sentence on every vector is whole in both languages, without a word of the machine', async () => {
  const folder = new URL('../../../../testing/proof-vectors/', import.meta.url)
  const read = async (name: string): Promise<Uint8Array> => new Uint8Array(await readFile(new URL(name, folder)))
  const now = (): Date => new Date('2026-11-21T12:00:00Z')
  const reports: ProofReport[] = []
  for (const kind of ['timestamp', 'cms'] as const)
    for (const name of await readdir(new URL(`${kind}/`, folder)))
      for (const [roots, bytes] of [
        ['root', new Uint8Array(await read(kind === 'cms' ? 'cms/content.txt' : 'timestamp/document.txt'))],
        ['other-root', new Uint8Array(2)],
        ['', undefined],
      ] as const) {
        const deps: VerifyDeps = { now, ...(roots === '' ? {} : { trust: await read(`${kind}/${roots}.pem`) }) }
        const input = await read(`${kind}/${name}`)
        reports.push(
          kind === 'cms'
            ? await verifyCms({ signature: input, ...(bytes === undefined ? {} : { content: { bytes } }) }, deps)
            : await verifyTimestampProof(
                { token: input, nonce: '01', ...(bytes === undefined ? {} : { data: { bytes } }) },
                deps,
              ),
        )
      }
  const languages = [wordsOf('en', { ...english, ...proofEnglish }), wordsOf('fr', { ...french, ...proofFrench })]
  const sentences = new Set<string>()
  for (const report of reports)
    for (const words of languages) {
      for (const check of report.checks) {
        const { title, sentence } = describeProofCheck(report.kind, check, words)
        sentences.add(title).add(sentence)
        for (const { operation } of check.steps ?? []) expect(words.has(`verification.proof.step.${operation}`)).toBe(true)
      }
      for (const fact of report.facts) {
        const { name, value } = describeFact(report.kind, fact, words)
        expect(name).not.toBe(fact.id)
        sentences.add(value)
      }
    }
  expect(sentences.size).toBeGreaterThan(200)
  for (const sentence of sentences) expect(sentence).not.toMatch(/\{|\}|[a-z]_[a-z]|undefined/)
})
