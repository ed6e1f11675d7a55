import type { Announced, Receipt, TransferBook } from './book.ts'

/** A book that forgets when the test ends. */
export function bookInMemory(): TransferBook {
  const announced: Announced[] = []
  const receipts = new Map<string, Receipt>()
  const find = (passes: (one: Announced) => boolean): Promise<Announced | null> => Promise.resolve(announced.find(passes) ?? null)
  return {
    announce: (transfer) => {
      const before = announced.find(({ key }) => key === transfer.key)
      if (before === undefined) announced.push(transfer)
      return Promise.resolve(before ?? transfer)
    },
    byPayment: (payment) => find((one) => one.payment === payment),
    byTag: (customer, tag) => find((one) => one.customer === customer && one.tag === tag),
    byReference: (reference) => find((one) => one.reference === reference),
    receiptsOf: (payment) => Promise.resolve([...receipts.values()].filter((one) => one.payment === payment)),
    keep: (receipt) => {
      if (receipts.has(receipt.line.id)) return Promise.resolve(false)
      receipts.set(receipt.line.id, receipt)
      return Promise.resolve(true)
    },
  }
}

export const account = { holder: 'Probant SAS', iban: 'FR7630004000031234567890143', bic: 'BNPAFRPP' } as const

type Entry = {
  readonly cents: number
  readonly text: string
  readonly currency?: string
  readonly reference?: string
  readonly reversal?: boolean
  readonly status?: string
}

/** A statement as banks write it, version 2. */
export function camt(entries: readonly Entry[], iban: string = account.iban): Uint8Array {
  const written = entries.map(({ cents, text, currency = 'EUR', reference, reversal = false, status = 'BOOK' }) => {
    const amount = (Math.abs(cents) / 100).toFixed(2)
    const own = reference === undefined ? '' : `<AcctSvcrRef>${reference}</AcctSvcrRef>`
    return `<Ntry><Amt Ccy="${currency}">${amount}</Amt><CdtDbtInd>${cents < 0 ? 'DBIT' : 'CRDT'}</CdtDbtInd>
      <RvslInd>${reversal}</RvslInd><Sts>${status}</Sts><BookgDt><Dt>2026-11-23</Dt></BookgDt>${own}
      <NtryDtls><TxDtls><RltdPties><Dbtr><Nm>Anne Martin</Nm></Dbtr></RltdPties><RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`
  })
  return Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><GrpHdr><MsgId>1</MsgId></GrpHdr>
<Stmt><Id>1</Id><Acct><Id><IBAN>${iban}</IBAN></Id></Acct>${written.join('')}</Stmt></BkToCstmrStmt></Document>`)
}
