/** Documents of invoices as their job makes them: rules, XML, pages by the typesetter, metadata; signed where it is asked for. */
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../kernel/clock.ts'
import { everyKind } from '../../modules/billing/server/document/invoices.test-data.ts'
import { makeInvoices, type InvoiceInput } from '../../modules/billing/server/document/make-invoices.ts'
import { writeDocument } from '../../modules/billing/server/document/write/write-document.ts'
import { createTimestampers, signPdf } from '../../modules/sealing/server/index.ts'
import { silentLog } from '../../platform/log/log.ts'
import { typesetAll } from '../../platform/print/typeset/typeset.ts'
import { temporaryKeyring } from '../../testing/keyring.ts'
import { startOutsideTsa } from '../../testing/tsa.ts'

const kinds = Object.values(everyKind)
export const kindsOfDocuments = kinds.length

const inputs = (count: number): readonly InvoiceInput[] =>
  Array.from({ length: count }, (_, at) => {
    const facts = kinds[at % kinds.length] ?? everyKind.ordinary
    const locale = at % 2 === 0 ? 'fr' : 'en'
    const numbered = { ...facts, number: `F2026-${String(at).padStart(6, '0')}` }
    return { document: writeDocument(numbered, locale), locale }
  })

/** Processor time of this program and of those that it started and that ended, in ms (proc(5): 14 to 17, in hundredths of a second). */
function busy(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * 10, 0)
}

export type Rate = { readonly second: number; readonly ms: number }

/** The time authority is of this process. */
export async function openTypesetting() {
  const folder = await mkdtemp(join(tmpdir(), 'probant-bench-invoices-'))
  const outside = await startOutsideTsa()
  const keyring = await temporaryKeyring(folder)
  const timestampers = createTimestampers({ urls: [outside.url], keyring, clock: systemClock, log: silentLog })
  const signal = AbortSignal.timeout(3_600_000)
  return {
    /** Documents a second, and processor time of each. @param together how many are set by one typesetter */
    async rate(count: number, together: number, signed: boolean): Promise<Rate> {
      const started = performance.now()
      const before = busy()
      const all = inputs(count)
      for (let at = 0; at < count; at += together) {
        const made = await makeInvoices(all.slice(at, at + together), {
          typesetAll: async (documents) => await typesetAll(documents, { folder: join(folder, 'work'), signal }),
          signPdf: async (pdf, reason) =>
            signed ? await signPdf(pdf, { keyring, timestampers, clock: systemClock, reason, signal }) : pdf,
        })
        if (made.some(({ pdf }) => pdf.length < 10_000)) throw new Error('an invoice was not made')
      }
      return { second: (1000 * count) / (performance.now() - started), ms: (busy() - before) / count }
    },
    async close(): Promise<void> {
      await outside.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
