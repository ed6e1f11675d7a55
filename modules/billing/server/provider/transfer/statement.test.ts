import {
  assert as check,
  array,
  asyncProperty,
  constantFrom,
  property,
  record,
  shuffledSubarray,
  string,
  uint8Array,
} from '../../../../../testing/fast-check.ts'
import { describe, expect, it } from 'vitest'
import type { PaymentProvider } from '../port.ts'
import { account, bookInMemory, camt } from './book.test-data.ts'
import { importStatement } from './import-statement.ts'
import { readDecimal, readWritten } from './read-amount.ts'
import { readStatement } from './read-statement.ts'
import { findReferences, printedReference, referenceOf } from './reference.ts'
import { transferProvider } from './transfer-provider.ts'

const read = (text: string | Uint8Array) => readStatement(typeof text === 'string' ? Buffer.from(text) : text, account.iban)

describe('references', () => {
  it('are valid creditor references (ISO 11649), and another for each attempt', () => {
    const all = new Set(Array.from({ length: 5_000 }, (_, at) => referenceOf(`attempt ${at}`)))
    expect(all.size).toBe(5_000)
    for (const one of all) {
      expect(one).toMatch(/^RF\d{2}PB[0-9A-HJKMNP-TV-Z]{12}$/)
      const digits = (one.slice(4) + one.slice(0, 4)).replaceAll(/[A-Z]/g, (letter) => String(Number.parseInt(letter, 36)))
      expect(BigInt(digits) % 97n).toBe(1n)
    }
  })

  it('are found in whatever surrounds them, in any writing, and with one wrong character are not', () => {
    const [one, other] = [referenceOf('a'), referenceOf('b')]
    expect(
      findReferences(`Facture ${printedReference(one).toLowerCase()}, merci ! ${other.slice(0, 9)}-${other.slice(9)}`),
    ).toEqual([one, other])
    expect(findReferences('RF RF18 RFRF')).toEqual([])
    const wrong = one.slice(0, -1) + (one.endsWith('0') ? '1' : '0')
    expect(findReferences(wrong)).toEqual([])
  })
})

describe('amounts', () => {
  it.each([
    ['1 234,56', 123456],
    ['1 234,56 €', 123456],
    ['1.234,56', 123456],
    ['1,234.56', 123456],
    ["1'234.56", 123456],
    ['-12,00', -1200],
    ['−12,00', -1200],
    ['+12.30', 1230],
    ['12', 1200],
    ['1.234.567', 123456700],
    ['0,01', 1],
  ])('%s is read', (text, cents) => expect(readWritten(text)).toBe(cents))

  it.each([
    '1,234',
    '1.234',
    '12,3',
    '12,345',
    '1.23.456',
    '1.234.56',
    '1,2,3',
    '',
    'abc',
    '1e5',
    '0x10',
    '--1',
    '99999999999999999999',
    '=1+1',
    '١٢',
  ])('%s is none: it is never guessed', (text) => expect(readWritten(text)).toBeNull())

  it.each([
    ['118.80', 11880],
    ['118.8', 11880],
    ['118', 11800],
    ['118.80000', 11880],
    ['118.805', null],
    ['-1', null],
    ['1,00', null],
    ['', null],
  ])('%s in XML is %s', (text, cents) => expect(readDecimal(text)).toBe(cents))
})

describe('statements in XML', () => {
  it('tell what is booked, who paid and what he wrote', () => {
    expect(
      read(
        camt([
          { cents: 11880, text: 'RF &amp; merci', reference: 'B1' },
          { cents: 500, text: 'later', status: 'PDNG' },
        ]),
      ),
    ).toEqual({
      state: 'read',
      format: 'camt',
      lines: [
        {
          id: 'bank B1',
          bookedOn: '2026-11-23',
          cents: 11880,
          currency: 'EUR',
          reversal: false,
          payer: 'Anne Martin',
          text: 'RF & merci',
        },
      ],
    })
  })

  it('of version 8 are read too, and an entry of several payments is taken apart', () => {
    const detail = (amount: string, text: string): string =>
      `<TxDtls><Amt Ccy="EUR">${amount}</Amt><RltdPties><Dbtr><Pty><Nm>Paul</Nm></Pty></Dbtr></RltdPties><RmtInf><Strd><CdtrRefInf><Ref>${text}</Ref></CdtrRefInf></Strd></RmtInf></TxDtls>`
    const text = `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt><Acct><Id><IBAN>${account.iban}</IBAN></Id></Acct><Ntry><Amt Ccy="EUR">3.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><DtTm>2026-11-23T10:00:00+01:00</DtTm></BookgDt><AcctSvcrRef>B9</AcctSvcrRef><NtryDtls>${detail('1.00', 'one')}${detail('2.00', 'two')}</NtryDtls></Ntry></Stmt></BkToCstmrStmt></Document>`
    const statement = read(text)
    if (statement.state !== 'read') throw new Error(JSON.stringify(statement))
    expect(statement.lines.map(({ id, cents, payer, text }) => [id, cents, payer, text])).toEqual([
      ['bank B9 0', 100, 'Paul', 'one'],
      ['bank B9 1', 200, 'Paul', 'two'],
    ])
  })

  it.each([
    ['a bomb of entities', '<!DOCTYPE d [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><d>&b;</d>', 'malformed'],
    ['a file from outside', '<!DOCTYPE d SYSTEM "file:///etc/passwd"><d/>', 'malformed'],
    ['an end that is missing', '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt>', 'malformed'],
    ['other XML', '<html/>', 'not_a_statement'],
    ['a message of another kind', '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.03"/>', 'not_a_statement'],
    [
      'nothing in it',
      '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt/></Document>',
      'not_a_statement',
    ],
    ['depth without end', '<a>'.repeat(100_000), 'malformed'],
  ])('with %s are refused', (_, text, reason) => {
    expect(read(text)).toEqual({ state: 'unreadable', reason, line: null })
  })

  it('of another account, with a day that is none or an amount that is none are refused whole', () => {
    expect(read(camt([], 'FR7618829754160173622224251'))).toMatchObject({ reason: 'other_account' })
    const good = Buffer.from(camt([{ cents: 100, text: 'x' }])).toString()
    expect(read(good.replace('2026-11-23', '2026-02-30'))).toMatchObject({ reason: 'date' })
    expect(read(good.replace('1.00', '1.0.0'))).toMatchObject({ reason: 'amount' })
    expect(read(good.replace('1.00', '9'.repeat(30)))).toMatchObject({ reason: 'amount' })
  })
})

describe('statements as tables', () => {
  it('of French banks are read: two columns of amounts, accents, an old encoding, lines above the head', () => {
    const text =
      'Compte;FR76\n\nDate opération;Date valeur;Libellé;Débit euros;Crédit euros\n23/11/2026;24/11/2026;"VIR ""Société""; merci";;1 118,80\n24/11/26;24/11/2026;PRLV;12,00;\n'
    const lines = [
      { bookedOn: '2026-11-23', cents: 111880, currency: 'EUR', text: '24/11/2026 | VIR "Société"; merci' },
      { bookedOn: '2026-11-24', cents: -1200 },
    ]
    expect(read(text)).toMatchObject({ state: 'read', format: 'csv', lines })
    expect(read(Buffer.from(text, 'latin1'))).toEqual(read(text))
  })

  it('with one column of amounts, another separator and a currency are read', () => {
    const text =
      '\ufeffBooking date,Description,Amount,Currency,Transaction ID\r\n2026-11-23,"Invoice, thanks",118.80,USD,T-1\r\n'
    expect(read(text)).toMatchObject({
      lines: [{ id: 'bank T-1', bookedOn: '2026-11-23', cents: 11880, currency: 'USD', text: 'Invoice, thanks' }],
    })
  })

  it.each([
    ['no head', 'a;b\n1;2\n', { reason: 'no_columns', line: null }],
    ['a day that is none', 'Date;Montant\n31/02/2026;1,00\n', { reason: 'date', line: 2 }],
    ['a month before the day', 'Date;Montant\n11/23/2026;1,00\n', { reason: 'date', line: 2 }],
    ['an amount that may be two', 'Date;Montant\n23/11/2026;1,00\n23/11/2026;1.234\n', { reason: 'amount', line: 3 }],
    ['two amounts', 'Date;Débit;Crédit\n23/11/2026;1,00;2,00\n', { reason: 'amount', line: 2 }],
    ['a quote that is not closed', 'Date;Montant\n"23/11/2026;1,00\n', { reason: 'malformed', line: 2 }],
    ['too many columns', `Date;Montant\n${';'.repeat(100)}\n`, { reason: 'malformed', line: 2 }],
    ['octets of nothing', 'Date;Montant\n\0\n', { reason: 'not_a_statement', line: null }],
    ['nothing at all', '', { reason: 'no_columns', line: null }],
  ])('with %s are refused, and say where', (_, text, wrong) => expect(read(text)).toEqual({ state: 'unreadable', ...wrong }))

  it('that are too large or too long are refused', () => {
    expect(read(Buffer.alloc((10 << 20) + 1, 'a'))).toMatchObject({ reason: 'too_large' })
    expect(read(`Date;Montant\n${'23/11/2026;1,00\n'.repeat(100_001)}`)).toMatchObject({ reason: 'too_many_lines' })
  })

  it('answer whatever octets and texts come, and never throw', () => {
    check(
      property(uint8Array({ maxLength: 400 }), (bytes) => {
        expect(['read', 'unreadable']).toContain(read(bytes).state)
      }),
    )
    const cell = constantFrom('Date', 'Montant', '23/11/2026', '1,00', '"', ';', '\n', '<', '&', '\r', '=cmd()', ',')
    check(
      property(array(cell, { maxLength: 40 }), string(), (cells, tail) => {
        expect(['read', 'unreadable']).toContain(read(cells.join('') + tail).state)
      }),
      { numRuns: 500 },
    )
  })
})

describe('what comes in', () => {
  const announce = async (
    provider: PaymentProvider,
    name: string,
    cents: number,
  ): Promise<{ payment: string; reference: string }> => {
    const attempt = { key: `key-of-attempt-${name}`, tag: `tag ${name}`, since: new Date(0) }
    const outcome = await provider.transfers.announce({ customer: 'c', amount: { cents, currency: 'EUR' } }, attempt)
    if (outcome.state !== 'transfer_awaited') throw new Error(JSON.stringify(outcome))
    return { payment: outcome.payment, reference: outcome.instructions.reference }
  }

  it('pays by its reference, in parts too; too much, another currency and what is taken back are told apart', async () => {
    const book = bookInMemory()
    const provider = transferProvider(book, account)
    const [whole, parts, over, foreign, back, both] = await Promise.all(
      ['whole', 'parts', 'over', 'foreign', 'back', 'both'].map((name) => announce(provider, name, 11880)),
    )
    if (!whole || !parts || !over || !foreign || !back || !both) throw new Error('not announced')
    const imported = await importStatement(
      book,
      camt([
        { cents: 11880, text: `Facture ${whole.reference}` },
        { cents: 5000, text: parts.reference.toLowerCase() },
        { cents: 11881, text: over.reference },
        { cents: 11880, text: foreign.reference, currency: 'USD' },
        { cents: 11880, text: back.reference, reference: 'B1' },
        { cents: -11880, text: back.reference, reference: 'B2', reversal: true },
        { cents: 2000, text: 'no reference' },
        { cents: 2000, text: `${both.reference} ${whole.reference}` },
        { cents: -700, text: 'what we paid' },
      ]),
      account.iban,
    )
    if (imported.state !== 'imported') throw new Error(JSON.stringify(imported))
    expect(imported.unmatched.map(({ text }) => text)).toEqual(['no reference', `${both.reference} ${whole.reference}`])
    expect(await provider.readPayment(whole.payment)).toMatchObject({ state: 'succeeded', at: new Date('2026-11-23T00:00:00Z') })
    expect(await provider.readPayment(parts.payment)).toMatchObject({ state: 'transfer_awaited', receivedCents: 5000 })
    expect(await provider.readPayment(over.payment)).toMatchObject({ state: 'mismatched', receivedCents: 11881 })
    expect(await provider.readPayment(foreign.payment)).toMatchObject({ state: 'mismatched', currency: 'USD' })
    expect(await provider.readPayment(back.payment)).toMatchObject({ state: 'reversed', cause: 'returned' })
    expect(await provider.readPayment(both.payment)).toMatchObject({ state: 'transfer_awaited', receivedCents: 0 })
    await importStatement(book, camt([{ cents: 6880, text: parts.reference, reference: 'B3' }]), account.iban)
    expect(await provider.readPayment(parts.payment)).toMatchObject({ state: 'succeeded' })
  })

  it('counts once, however often and in what order statements are handed in that have it', async () => {
    const day = record({ cents: constantFrom(100, 200, 11880), reference: constantFrom('B1', 'B2', 'B3', undefined) })
    await check(
      asyncProperty(
        array(day, { minLength: 1, maxLength: 5 }),
        array(shuffledSubarray([0, 1, 2]), { minLength: 1, maxLength: 4 }),
        async (entries, orders) => {
          const book = bookInMemory()
          const provider = transferProvider(book, account)
          const made = await announce(provider, 'one', 11880)
          const written = entries.map(({ cents, reference }, at) => ({
            cents,
            text: made.reference,
            ...(reference === undefined ? {} : { reference: `${reference} ${at}` }),
          }))
          const statements = [written, [...written, { cents: 1, text: made.reference, reference: 'later' }], written.slice(0, 1)]
          const all = [...orders.flat(), 1]
          for (const at of all) await importStatement(book, camt(statements[at] ?? []), account.iban)
          const sum = entries.reduce((total, { cents }) => total + cents, 1)
          const received = await book.receiptsOf(made.payment)
          expect(received.reduce((total, { line }) => total + line.cents, 0)).toBe(sum)
        },
      ),
      { numRuns: 200 },
    )
  })
})
