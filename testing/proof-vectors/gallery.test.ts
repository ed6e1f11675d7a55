import { readdir, stat } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { asicCheckIds } from '../../modules/verification/domain/asic/verify-asic-proof.ts'
import { bitcoinMessageChecks } from '../../modules/verification/domain/bitcoin-message/verify-bitcoin-message.ts'
import { chainpointChecks } from '../../modules/verification/domain/chainpoint/verify-chainpoint.ts'
import { digestChecks } from '../../modules/verification/domain/proof/verify-digest.ts'
import { evidenceRecordChecks } from '../../modules/verification/domain/evidence-record/verify-evidence-record.ts'
import { checkpointChecks } from '../../modules/verification/domain/log/verify-checkpoint.ts'
import { logProofChecks } from '../../modules/verification/domain/log/verify-log-proof.ts'
import { nanoMessageChecks } from '../../modules/verification/domain/nano-message/verify-nano-message.ts'
import { openTimestampsChecks } from '../../modules/verification/domain/opentimestamps/verify-opentimestamps.ts'
import { pdfCheckIds } from '../../modules/verification/domain/pdf/verify-pdf-proof.ts'
import { proofKinds } from '../../modules/verification/domain/report/proof-report.ts'
import type { ProofKind } from '../../modules/verification/domain/report/proof-report.ts'
import { trustedListCheckIds } from '../../modules/verification/domain/trusted-list/verify-trusted-list.ts'
import { waczCheckIds } from '../../modules/verification/domain/wacz/verify-wacz-proof.ts'
import { aloneIn, findsOf, readGallery } from './gallery.ts'
import { depsOf, verifyRow } from './verify-row.ts'

/**
 * The checks of each kind, and those that never stand alone, with the reason. Time stamps and CMS signatures have tables of their own
 * form, which `verify-timestamp-proof.test.ts` and `verify-cms.test.ts` read; XML signatures are made in `verify-xades.test.ts`.
 */
const kinds: Readonly<Partial<Record<ProofKind, { ids: readonly string[]; never?: Readonly<Record<string, string>> }>>> = {
  digest: { ids: digestChecks },
  bitcoin_message: {
    ids: bitcoinMessageChecks,
    never: { recovery: 'a key is recovered or the format is refused: it is only ever passed' },
  },
  nano_message: { ids: nanoMessageChecks },
  opentimestamps: { ids: openTimestampsChecks },
  chainpoint: { ids: chainpointChecks },
  log_proof: { ids: logProofChecks },
  checkpoint: { ids: checkpointChecks },
  evidence_record: { ids: evidenceRecordChecks },
  trusted_list: { ids: trustedListCheckIds },
  pdf: { ids: pdfCheckIds },
  asic: { ids: asicCheckIds },
  wacz: {
    ids: waczCheckIds,
    never: {
      resource: 'a file that is not what the list says makes the sum of them false too',
      resources: 'the sum of them is never false but for a file of them',
    },
  },
}
const own = ['timestamp', 'cms', 'xades']

test('every kind of proof has its gallery', () => {
  expect([...Object.keys(kinds), ...own].toSorted()).toEqual([...proofKinds].toSorted())
})

describe.each(Object.entries(kinds) as [ProofKind, { ids: readonly string[]; never?: Readonly<Record<string, string>> }][])(
  '%s',
  async (kind, { ids, never = {} }) => {
    const gallery = await readGallery(kind)
    const { known, rows } = gallery

    test.each(rows)('$name: finds exactly what is wrong', async (row) => {
      const report = await verifyRow(kind, row, await depsOf(kind, { ...known, ...row.known }))
      expect(findsOf(report, gallery, row)).toEqual(row.finds)
      expect(report.verdict).toBe(row.verdict)
      expect(report.checks.map(({ id }) => id).filter((id) => !ids.includes(id))).toEqual([])
      // Nothing dates anything in a proof that does not hold; nothing grave is green.
      if (row.verdict === 'TOTAL-FAILED') expect(report.dates).toEqual([])
      const isGrave = Object.values(row.finds).some((each) => !each.startsWith('noted'))
      expect(report.verdict === 'TOTAL-PASSED').toBe(!isGrave)
    })

    test('something passes, and every check has an input that it alone notices', () => {
      expect(rows.some(({ verdict }) => verdict === 'TOTAL-PASSED')).toBe(true)
      const alone = new Set(rows.map(aloneIn))
      expect(ids.filter((id) => !alone.has(id))).toEqual(Object.keys(never))
      // What never stands alone is found all the same, or can only pass.
      for (const id of Object.keys(never)) expect(rows.some(({ finds }) => Object.hasOwn(finds, id))).toBe(id !== 'recovery')
    })
  },
)

test('the gallery stays small', async () => {
  let bytes = 0
  for (const kind of Object.keys(kinds)) {
    const folder = new URL(`./${kind}/`, import.meta.url)
    for (const file of await readdir(folder)) bytes += (await stat(new URL(file, folder))).size
  }
  expect(bytes).toBeLessThan(1_500_000)
})
