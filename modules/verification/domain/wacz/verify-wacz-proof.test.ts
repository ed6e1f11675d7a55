import { expect, test } from 'vitest'
import { archive } from '../../../../testing/proof-vectors/wacz-archives.ts'
import en from '../../messages/wacz.en.json' with { type: 'json' }
import fr from '../../messages/wacz.fr.json' with { type: 'json' }
import type { ProofReport } from '../proof.ts'
import { zipFlaws } from '../zip/read-any-zip.ts'
import { verifyWaczProof, waczCheckIds, waczFactIds, waczReasons } from './verify-wacz-proof.ts'

async function verify(bytes: Uint8Array, trust?: Uint8Array): Promise<ProofReport> {
  const file = {
    size: bytes.length,
    read: async (at: number, length: number) => {
      if (at < 0 || length < 0 || at + length > bytes.length) throw new RangeError('past the end')
      return bytes.subarray(at, at + length)
    },
  }
  return await verifyWaczProof({ file }, { now: () => new Date(), ...(trust === undefined ? {} : { trust }) })
}
const findings = (report: ProofReport): string[] =>
  report.checks
    .filter(({ status, supplementary }) => status !== 'passed' && supplementary !== true)
    .map(({ id, status, data }) => `${id}${status === 'failed' ? '=' : '~'}${data['reason']}`)

test('a whole archive: all but whose key it is, which nobody vouches for', async () => {
  const report = await verify(archive())
  expect(findings(report)).toEqual(['trust~anonymous'])
  expect(report.verdict).toBe('INDETERMINATE')
  expect(report.bound.filter(({ of }) => of === 'entry')).toHaveLength(2)
})

test('10,000 altered archives: never an exception, never green', async () => {
  const base = archive()
  let state = 11
  const next = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  for (let i = 0; i < 10_000; i += 1) {
    const bytes = Uint8Array.from(i % 20 === 0 ? base : base.subarray(0, base.length - next(40)))
    const at = next(bytes.length)
    bytes[at] = (bytes[at] ?? 0) ^ (1 << next(8))
    expect((await verify(bytes)).verdict).not.toBe('TOTAL-PASSED')
  }
})

test('every check, reason and fact has words in both languages', () => {
  for (const words of [en, fr] as Readonly<Record<string, string>>[])
    for (const id of [
      ...waczCheckIds.flatMap((id) => ['title', 'passed', 'failed', 'indeterminate'].map((end) => `${id}.${end}`)),
      ...[...waczReasons, ...zipFlaws].map((reason) => `reason.${reason}`),
      ...waczFactIds.map((fact) => `fact.${fact}`),
    ])
      expect(words[`verification.proof.wacz.${id}`], id).toMatch(/\S/)
})
