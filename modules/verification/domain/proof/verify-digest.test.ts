import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import en from '../../messages/digest.en.json' with { type: 'json' }
import fr from '../../messages/digest.fr.json' with { type: 'json' }
import { digestAlgorithms, digestChecks, digestFacts, digestReasons, verifyDigest } from './verify-digest.ts'

const deps = { now: () => new Date('2026-11-21T08:00:00Z') }
const openssl = (name: string, text: string, ...more: string[]) =>
  execFileSync('openssl', ['dgst', `-${name}`, '-r', ...more], { input: text })
    .toString()
    .split(' ')[0] ?? ''

test('C-66 the digest of each algorithm is the one that openssl computes, and is found by its length alone', async () => {
  const text = 'Pièce n° 3 – œuvre\n'
  for (const algorithm of digestAlgorithms.filter((name) => name !== 'blake2b-256')) {
    const digest = openssl(algorithm, text)
    const report = await verifyDigest({ text, digest }, deps)
    const weak = algorithm === 'sha1' || algorithm === 'ripemd160'
    expect([algorithm, report.verdict]).toEqual([algorithm, weak ? 'INDETERMINATE' : 'TOTAL-PASSED'])
    expect(report.bound).toContainEqual({ algorithm, hex: digest, of: 'file' })
  }
  const blake = execFileSync('b2sum', ['-l', '256'], { input: text }).toString().split(' ')[0] ?? ''
  expect((await verifyDigest({ text, digest: blake }, deps)).verdict).toBe('TOTAL-PASSED')
})

test('a digest is taken in capitals, with separators or in base64', async () => {
  const hex = openssl('sha256', 'a')
  const base64 = Buffer.from(hex, 'hex').toString('base64')
  for (const digest of [
    hex.toUpperCase(),
    hex.replaceAll(/(..)(?=.)/g, '$1:'),
    `sha256:${hex}`,
    `sha256-${base64}`,
    base64,
    ` ${hex}\n`,
  ])
    expect([digest, (await verifyDigest({ text: 'a', digest }, deps)).verdict]).toEqual([digest, 'TOTAL-PASSED'])
})

test.each([
  ['nothing_given', 'INDETERMINATE', 'a', undefined],
  ['not_a_digest', 'TOTAL-FAILED', 'a', 'héllo'],
  ['length', 'TOTAL-FAILED', 'a', 'abcdef'],
  ['differs', 'TOTAL-FAILED', 'a', openssl('sha256', 'b')],
  ['line_ends', 'TOTAL-FAILED', 'a\nb', openssl('sha256', 'a\r\nb')],
  ['final_line_end', 'TOTAL-FAILED', 'a', openssl('sha256', 'a\n')],
  ['normal_form', 'TOTAL-FAILED', 'é', openssl('sha256', 'e\u0301')],
  ['weak_algorithm', 'INDETERMINATE', 'a', openssl('sha1', 'a')],
] as const)('%s is said as what it is', async (reason, verdict, text, digest) => {
  const report = await verifyDigest({ text, ...(digest === undefined ? {} : { digest }) }, deps)
  expect(report.verdict).toBe(verdict)
  expect(report.checks.map(({ data }) => data['reason'])).toEqual([reason])
})

test('everything it can say has words in both languages', () => {
  const prefix = 'verification.proof.digest'
  const ids = [
    ...digestChecks.flatMap((id) => ['title', 'passed', 'failed', 'indeterminate'].map((end) => `${prefix}.${id}.${end}`)),
    ...digestReasons.map((id) => `${prefix}.reason.${id}`),
    ...digestFacts.map((id) => `${prefix}.fact.${id}`),
  ]
  expect(Object.keys(en).toSorted()).toEqual(ids.toSorted())
  expect(Object.keys(fr).toSorted()).toEqual(ids.toSorted())
})
