import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import cmsEn from '../../messages/cms.en.json' with { type: 'json' }
import cmsFr from '../../messages/cms.fr.json' with { type: 'json' }
import timestampEn from '../../messages/timestamp.en.json' with { type: 'json' }
import timestampFr from '../../messages/timestamp.fr.json' with { type: 'json' }
import { cmsCheckIds, cmsFactIds } from '../cms/verify-cms.ts'
import { anomalies } from '../cms/read-cms.ts'
import { qualifiedReasons } from '../trusted-list/qualified-status.ts'
import { refusals } from './read-response.ts'
import { timestampCheckIds, timestampFactIds } from './verify-timestamp-proof.ts'

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
  const shared = [...(await reasonsIn('cms')), ...(await reasonsIn('timestamp'))]
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
