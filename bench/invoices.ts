/**
 * Invoices a second: what they say, rules and XML; pages by one typesetter for each and by one for many; metadata; signature:
 * `node bench/invoices.ts [documents] [of these one by one]`. The time authority is of this process.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../kernel/clock.ts'
import { everyKind } from '../modules/billing/server/document/invoices.test-data.ts'
import { makeInvoices, type InvoiceInput } from '../modules/billing/server/document/make-invoices.ts'
import { writeDocument } from '../modules/billing/server/document/write/write-document.ts'
import { createTimestampers, signPdf } from '../modules/sealing/server/index.ts'
import { silentLog } from '../platform/log/log.ts'
import { typesetAll } from '../platform/print/typeset/typeset.ts'
import { temporaryKeyring } from '../testing/keyring.ts'
import { startOutsideTsa } from '../testing/tsa.ts'

const many = Number(process.argv[2] ?? 200)
const few = Number(process.argv[3] ?? 10)
const folder = await mkdtemp(join(tmpdir(), 'probant-bench-invoices-'))
const outside = await startOutsideTsa()
const keyring = await temporaryKeyring(folder)
const timestampers = createTimestampers({ urls: [outside.url], keyring, clock: systemClock, log: silentLog })
const signal = AbortSignal.timeout(600_000)
const kinds = Object.values(everyKind)

const inputs = (count: number): readonly InvoiceInput[] =>
  Array.from({ length: count }, (_, at) => {
    const facts = kinds[at % kinds.length] ?? everyKind.ordinary
    const locale = at % 2 === 0 ? 'fr' : 'en'
    const numbered = { ...facts, number: `F2026-${String(at).padStart(6, '0')}` }
    return { document: writeDocument(numbered, locale), locale }
  })

/** Documents a second. @param together how many are set by one typesetter */
async function rate(count: number, together: number, signed: boolean): Promise<number> {
  const started = performance.now()
  const all = inputs(count)
  for (let at = 0; at < count; at += together) {
    const made = await makeInvoices(all.slice(at, at + together), {
      typesetAll: async (documents) => await typesetAll(documents, { folder: join(folder, 'work'), signal }),
      signPdf: async (pdf, reason) =>
        signed ? await signPdf(pdf, { keyring, timestampers, clock: systemClock, reason, signal }) : pdf,
    })
    if (made.some(({ pdf }) => pdf.length < 10_000)) throw new Error('an invoice was not made')
  }
  return (1000 * count) / (performance.now() - started)
}

const each = await rate(few, 1, false)
const by20 = await rate(many, 20, false)
const all = await rate(many, many, false)
const signed = await rate(many, 20, true)
console.log(`${many} invoices of ${kinds.length} kinds in two languages, one page each; documents a second:`)
console.log(
  `one typesetter for each ${each.toFixed(1)}; for 20 ${by20.toFixed(1)}; for all ${all.toFixed(1)}; for 20, and signed ${signed.toFixed(1)}`,
)
await outside.close()
await rm(folder, { recursive: true, force: true })
