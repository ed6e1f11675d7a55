import type { DatedBy } from '../seal/check-trust.ts'
import { MalformedError } from '../../encoding/der.ts'
import type { OpenedEntry } from '../contents/open-package.ts'
import { reports } from '../../manifest/package-layout.ts'
import type { VerifyDeps } from '../../known/verify-deps.ts'
import type { Check } from '../../report/package-report.ts'
import { verifyPdf } from './verify-pdf.ts'
import type { Certificate } from '../../certificate/x509.ts'

/** The signatures of the two reports, and on whose word they are dated. */
export async function reportChecks(
  entries: ReadonlyMap<string, OpenedEntry>,
  known: { platform: readonly Certificate[]; time: readonly Certificate[] },
  deps: VerifyDeps,
): Promise<{ checks: Check[]; dated: DatedBy[] }> {
  const checks: Check[] = []
  const dated: DatedBy[] = []
  for (const path of reports) {
    const entry = entries.get(path)
    const base = { id: 'pdf_signature' as const, subject: path, repeat_command: `pdfsig ${path}` }
    if (entry === undefined) {
      checks.push({ ...base, status: 'failed', data: { reason: 'missing' } })
      continue
    }
    try {
      const outcome = await verifyPdf(entry, known, deps)
      if (outcome.status === 'passed')
        for (const facts of [outcome.timestamp, outcome.document_timestamp])
          if (facts !== undefined) dated.push({ facts, file: path, isPem: false })
      checks.push({
        ...base,
        status: outcome.status,
        data:
          outcome.status === 'passed'
            ? { name: outcome.signer, gen_time: outcome.timestamp.gen_time, level: outcome.level.slice(2) }
            : { reason: outcome.reason },
      })
    } catch (error) {
      if (!(error instanceof MalformedError || error instanceof RangeError)) throw error
      checks.push({ ...base, status: 'failed', data: { reason: 'malformed' } })
    }
  }
  return { checks, dated }
}
