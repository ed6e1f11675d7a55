import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withDatabase } from '../../../../testing/database.ts'
import { runTool } from '../../../../testing/keyring.ts'
import { comfort, essential, openBooks, seller } from '../billing.test-data.ts'
import { callBilling, type CalledWith } from '../calls/call-billing.test-data.ts'
import { openPress } from '../document/documents.test-data.ts'
import { reverseInstalment } from '../settlement/settle-instalment.ts'
import { forgetStatements, makeStatements } from './make-statements.ts'

const database = withDatabase()
let press: Awaited<ReturnType<typeof openPress>>
beforeAll(async () => {
  press = await openPress()
}, 60_000)
afterAll(async () => await press.remove())

const nobody = { ask: () => Promise.reject(new Error('nobody is asked')) }

test(
  'H-36 the statement is a signed file in either language that tells every entry and its balance; after another entry it is made anew',
  { timeout: 120_000 },
  async () => {
    const books = openBooks(database, '2026-11-01T09:00:00Z')
    const deps = { ...press.deps(books.deps(), { testPayments: true }), seller }
    const call = async (userId: string, url: string, other: Partial<CalledWith> = {}) =>
      await callBilling({ ...books.deps(), blobs: press.blobs, vatRegister: nobody }, { userId, url, ...other })
    const make = async () => await makeStatements(deps, AbortSignal.timeout(100_000))
    const { userId: stranger } = await books.customer()
    expect((await call(stranger, '/invoices/statement/pdf/')).body).toMatchObject({ code: 'billing.nothing_to_export' })

    const { userId, customerId } = await books.subscribed(essential)
    books.at('2026-11-16T09:00:00Z')
    await books.ask(customerId, comfort)
    await books.payAll(customerId)
    expect((await call(userId, '/invoices/statement/pdf/')).body).toMatchObject({ code: 'billing.document_being_made' })
    await call(userId, '/invoices/statement/pdf/?language=fr')
    expect(await Promise.all([make(), make()])).toEqual(expect.arrayContaining([2]))
    expect(await make()).toBe(0)

    const { body } = await call(userId, '/invoices/statement/')
    const told = body['results'] as readonly { readonly balance_cents: number; readonly number: string | null }[]
    const shown = { en: (cents: number) => euros('en-GB', cents), fr: (cents: number) => euros('fr-FR', cents) }
    for (const locale of ['en', 'fr'] as const) {
      const { status, bytes, headers } = await call(userId, `/invoices/statement/pdf/?language=${locale}`)
      expect([status, headers['content-disposition']]).toEqual([200, expect.stringContaining('statement-2026-11-16.pdf')])
      const folder = join(press.folder, `statement-${locale}`)
      await mkdir(folder, { recursive: true })
      await writeFile(join(folder, 'statement.pdf'), bytes)
      expect((await runTool(folder, 'pdfsig', 'statement.pdf')).output).toContain('Signature is Valid.')
      const text = plain((await runTool(folder, 'pdftotext', '-layout', 'statement.pdf', '-')).output)
      for (const { balance_cents: balance, number } of told) {
        expect(text).toContain(plain(shown[locale](balance)))
        expect(text).toContain(number ?? expect.fail('each entry is of a document'))
      }
      const words = {
        en: ['Statement of account', 'Drawn up on', '16 November 2026', 'Credit note A2026-000001', 'Test payments'],
        fr: ['Relevé de compte', 'Établi le', '16 novembre 2026', 'Avoir A2026-000001', 'Paiements de test'],
      }
      for (const said of [...words[locale], seller.name, '2 place du Marché']) expect(text).toContain(said)
    }

    const [paid = ''] = (
      await database.db
        .selectFrom('instalment')
        .select('id')
        .where('customer_id', '=', customerId)
        .where('plan', '=', 'comfort')
        .execute()
    ).map(({ id }) => id)
    await books.within(async (tx) => await reverseInstalment(tx, books.deps(), paid, { channel: 'bank', attemptId: null }))
    expect((await call(userId, '/invoices/statement/pdf/')).body).toMatchObject({ code: 'billing.document_being_made' })
    expect(await make()).toBe(1)
    const { bytes } = await call(userId, '/invoices/statement/pdf/')
    await writeFile(join(press.folder, 'after.pdf'), bytes)
    expect((await runTool(press.folder, 'pdftotext', '-layout', 'after.pdf', '-')).output).toContain('taken back by the bank')

    books.later(31)
    expect(await forgetStatements({ ...deps, clock: books.deps().clock })).toBe(1)
    expect(await Array.fromAsync(press.blobs.scope(customerId).list())).toEqual([])
  },
)

const plain = (text: string): string => text.replaceAll(/[\u00a0\u202f]/g, ' ').replaceAll('\u2212', '-')
const euros = (tag: string, cents: number): string =>
  new Intl.NumberFormat(tag, { style: 'currency', currency: 'EUR' }).format(cents / 100)
