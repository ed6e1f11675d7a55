import { readdir, readFile } from 'node:fs/promises'
import { IntlMessageFormat } from 'intl-messageformat'
import { expect, test } from 'vitest'
import { readGallery } from '../../../../testing/proof-vectors/gallery.ts'
import { depsOf, verifyRow } from '../../../../testing/proof-vectors/verify-row.ts'
import en from '../../messages/evidence-record.en.json' with { type: 'json' }
import fr from '../../messages/evidence-record.fr.json' with { type: 'json' }
import { proofWords as proofEn } from '../../messages/proof-words.en.ts'
import { proofWords as proofFr } from '../../messages/proof-words.fr.ts'
import timestampEn from '../../messages/timestamp.en.json' with { type: 'json' }
import { describeFact, describeProofCheck } from '../describe/describe-proof.ts'
import type { Words } from '../describe/describe-check.ts'
import { evidenceRecordChecks, evidenceRecordFacts } from './verify-evidence-record.ts'

const own = 'verification.proof.evidence_record.'

test('every check, fact and reason has words in both languages, with the same values', async () => {
  const reasons = new Set<string>()
  for (const name of await readdir(new URL('.', import.meta.url))) {
    if (!name.endsWith('.ts') || name.endsWith('.test.ts')) continue
    const text = await readFile(new URL(name, import.meta.url), 'utf8')
    for (const [, expression = ''] of text.matchAll(/(?:reason(?::| =)|flaw:|return) ([^\n]*)/g))
      for (const [, reason = ''] of expression.matchAll(/'([a-z]+(?:_[a-z0-9]+)+|malformed)'/g)) reasons.add(reason)
  }
  for (const other of ['time_stamp', 'evidence_record', 'hash_tree', 'hash_strength', 'gen_time']) reasons.delete(other)
  expect(reasons.size).toBeGreaterThan(20)
  const known = { ...timestampEn, ...en } as Readonly<Record<string, string>>
  const said = (reason: string): boolean =>
    [`${own}reason.${reason}`, `verification.proof.timestamp.reason.${reason}`].some((id) => Object.hasOwn(known, id))
  expect([...reasons].filter((reason) => !said(reason))).toEqual([])
  // Of authorities and of what is only noted, the same is said as of any time stamp.
  const borrowed: readonly string[] = ['trust', 'qualified', 'accuracy', 'revocation', 'current', 'unsigned', 'octets']
  // Ends that these checks do not come to.
  const never = [
    'version.indeterminate',
    'algorithms_listed.failed',
    'order.indeterminate',
    'in_time.failed',
    'chain_algorithm.indeterminate',
    'hash_strength.failed',
    'unprotected.failed',
  ].map((rest) => `${own}${rest}`)
  const wanted = [
    ...evidenceRecordChecks
      .filter((id) => !borrowed.includes(id))
      .flatMap((id) => ['title', 'passed', 'failed', 'indeterminate'].map((end) => `${own}${id}.${end}`))
      .filter((id) => !never.includes(id)),
    ...evidenceRecordFacts.map((id) => `${own}fact.${id}`),
  ]
  expect(wanted.filter((id) => !Object.hasOwn(en, id))).toEqual([])
  for (const id of borrowed) expect(Object.hasOwn(timestampEn, `verification.proof.timestamp.${id}.title`)).toBe(true)
  expect(Object.keys(fr)).toEqual(Object.keys(en))
  const values = (text: string): string[] =>
    [...new Set([...text.matchAll(/\{(\w+)[,}]/g)].map(([, name = '']) => name))].toSorted()
  for (const [id, text] of Object.entries(en))
    expect([id, values((fr as Record<string, string>)[id] ?? '')]).toEqual([id, values(text)])
})

test('every sentence on every vector is whole in both languages', async () => {
  const gallery = await readGallery('evidence_record')
  const sentences = new Set<string>()
  for (const locale of ['en', 'fr'] as const) {
    const messages = locale === 'en' ? proofEn : proofFr
    // A value that a sentence asks for and does not get throws.
    const words: Words = {
      has: (id) => Object.hasOwn(messages, id),
      format: (id, values) => String(new IntlMessageFormat(messages[id] ?? '', locale).format(values)),
      instant: (iso) => iso,
    }
    for (const row of gallery.rows) {
      const report = await verifyRow('evidence_record', row, await depsOf('evidence_record', { ...gallery.known, ...row.known }))
      for (const check of report.checks) {
        const { title, sentence, about } = describeProofCheck(report.kind, check, words)
        sentences.add(title).add(sentence).add(about)
        // Which of the time stamps is meant is said in the language of the reader.
        expect(`${title} ${about}`).not.toMatch(locale === 'fr' ? /time stamp/ : /horodatage/)
        if (check.subject !== undefined) expect(about).toMatch(locale === 'fr' ? /^horodatage \d+$/ : /^time stamp \d+$/)
      }
      for (const fact of report.facts) {
        const { name, value } = describeFact(report.kind, fact, words)
        expect(name).not.toBe(fact.id)
        sentences.add(value)
      }
    }
  }
  expect(sentences.size).toBeGreaterThan(150)
  for (const sentence of sentences) expect(sentence).not.toMatch(/\{|\}|[a-z]_[a-z]|undefined|verification\./)
})
