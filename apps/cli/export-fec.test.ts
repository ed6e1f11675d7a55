import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { comfortInFour, essential, openBooks } from '../../modules/billing/server/billing.test-data.ts'
import { withDatabase } from '../../testing/database.ts'
import { selling } from '../../testing/selling.ts'
import { parseFecOptions } from './export-fec.ts'
import { runAdmin } from './run-admin.test-data.ts'

const database = withDatabase()
const folder = mkdtempSync(join(tmpdir(), 'probant-fec-'))
afterAll(() => rmSync(folder, { recursive: true }))

const run = async (argv: readonly string[], env: Readonly<Record<string, string>> = selling) =>
  await runAdmin(argv, { PROBANT_DATA: folder, DATABASE_URL: database.url, ...env })

test('a year of the accounts ends on a day, and begins on the one after it the year before', () => {
  const of = (line: string) => parseFecOptions(line.split(' '))
  expect(of('--to 2026-12-31')).toEqual({ locale: 'en', from: '2026-01-01', to: '2026-12-31', folder: '.' })
  expect(of('--to 2028-02-29 --lang fr')).toMatchObject({ from: '2027-03-01', locale: 'fr' })
  expect(of('--to 2027-06-30 --out /tmp')).toMatchObject({ from: '2026-07-01', folder: '/tmp' })
  for (const wrong of ['--from 2026-01-01', '--to 2026-02-31', '--to 2026-01-01 --from 2026-01-02', '--to 2026-12-31 extra'])
    expect(of(wrong)).toBeNull()
})

test('H-36 the whole journal of the seller is written as the tax office wants it, once, each year by itself', async () => {
  const books = openBooks(database, '2026-11-01T09:00:00Z')
  const people = [await books.subscribed(essential), await books.subscribed(comfortInFour)]
  const firm = await books.customer({ userType: 'legal' })
  await books.ask(firm.customerId, essential)
  await books.payAll(firm.customerId)
  books.at('2027-02-15T09:00:00Z')
  await books.run()
  for (const { customerId } of people) await books.payAll(customerId)

  const { code, out, said } = await run(['fec', '--to', '2026-12-31', '--out', folder])
  expect([code, said]).toEqual([0, expect.stringContaining('2026-01-01')])
  const { path, lines } = JSON.parse(out) as { path: string; lines: number }
  expect(path).toBe(join(folder, '123456782FEC20261231.txt'))
  const rows = readFileSync(path, 'utf8')
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split('|'))
  const [head = [], ...entries] = rows
  expect(head.join('|')).toBe(
    'JournalCode|JournalLib|EcritureNum|EcritureDate|CompteNum|CompteLib|CompAuxNum|CompAuxLib|PieceRef|PieceDate|EcritureLib|Debit|Credit|EcritureLet|DateLet|ValidDate|Montantdevise|Idevise',
  )
  expect(entries).toHaveLength(lines)
  for (const entry of entries) expect(entry).toHaveLength(18)
  // Each number in its turn, balanced, on days of the year, and customers by name.
  const numbers = [...new Set(entries.map((entry) => entry[2]))]
  expect(numbers).toEqual(Array.from({ length: 6 }, (_, at) => `2026-${at + 1}`))
  const cents = (text = '') => Number(text.replace(',', ''))
  for (const number of numbers) {
    const own = entries.filter((entry) => entry[2] === number)
    expect(own.reduce((sum, entry) => sum + cents(entry[11]) - cents(entry[12]), 0)).toBe(0)
    expect(own.every((entry) => entry[3]?.startsWith('2026') === true && entry[15] === entry[3])).toBe(true)
  }
  expect(entries.filter((entry) => entry[4] === '411000').map((entry) => entry[7])).toContain('Client SAS')
  expect(entries[0]?.slice(0, 7)).toMatchObject([
    'VE',
    'Ventes',
    '2026-1',
    '20261101',
    '411000',
    'Clients',
    people[0]?.customerId,
  ])
  expect(entries[0]?.slice(8, 13)).toEqual(['F2026-000001', '20261101', 'Facture F2026-000001', '478,80', '0,00'])

  const again = await run(['fec', '--to', '2026-12-31', '--out', folder])
  expect(again.code).toBe(1)
  const next = JSON.parse((await run(['fec', '--to', '2027-12-31', '--out', folder])).out) as { path: string; lines: number }
  expect(next.lines).toBeGreaterThan(0)
  expect(readFileSync(next.path, 'utf8')).not.toContain('20261101|411000')
})

test('where nobody sells there is no journal to write; wrong use is told', async () => {
  expect(await run(['fec', '--to', '2026-12-31', '--out', folder], {})).toMatchObject({ code: 1, out: '' })
  expect((await run(['fec'])).code).toBe(3)
})
