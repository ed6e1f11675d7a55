/** The file of entries of the accounts that a French tax audit asks for (LPF, art. L47 A, I, and A47 A-1). */
import { accounts } from '../../domain/journal/entry.ts'
import type { JournalLine } from './journal-lines.ts'
import { decimal } from './decimal.ts'

const labels: Readonly<Record<string, string>> = {
  [accounts.customers]: 'Clients',
  [accounts.services]: 'Prestations de services',
  [accounts.vatCollected]: 'TVA collectée',
  [accounts.provider]: 'Prestataire de paiement',
  [accounts.bank]: 'Banque',
  [accounts.payees]: 'Parrains et vendeurs de licences',
  [accounts.purses]: 'Prestataire de paiement, porte-monnaie de tiers',
  [accounts.commissions]: 'Commissions et courtages sur ventes',
  [accounts.royalties]: 'Redevances pour licences',
  [accounts.vatDeductible]: 'TVA déductible sur autres biens et services',
  [accounts.bankCharges]: 'Services bancaires',
}
const journals: Readonly<Record<string, string>> = { VE: 'Ventes', BQ: 'Banque', HA: 'Achats' }
const occasions: Readonly<Record<string, string>> = {
  invoice: 'Facture',
  credit_note: 'Avoir',
  payment: 'Règlement',
  reversal: 'Règlement repris',
  refund: 'Remboursement',
  earning: 'Gain acquis',
  clawback: 'Gain repris',
  payout_granted: 'Virement au porte-monnaie',
  payout: 'Versement',
  payout_returned: 'Versement retourné',
  fee: 'Frais bancaires',
}
const columns =
  'JournalCode|JournalLib|EcritureNum|EcritureDate|CompteNum|CompteLib|CompAuxNum|CompAuxLib|PieceRef|PieceDate|EcritureLib|Debit|Credit|EcritureLet|DateLet|ValidDate|Montantdevise|Idevise'

/** What parts columns and lines has no place in one. */
const inColumn = (text: string): string =>
  text
    .replaceAll(/[\s|\p{C}]+/gu, ' ')
    .trim()
    .slice(0, 200)
const dayOf = (text: string): string => text.replaceAll('-', '')

/** The eighteen columns of article A47 A-1, VII, 1°, in their order: days without signs, amounts with a comma, and no currency but the euro. */
export async function* writeFec(lines: AsyncIterable<JournalLine>): AsyncGenerator<string> {
  yield `${columns}\r\n`
  for await (const line of lines) {
    const number = `${line.year}-${line.number}`
    const piece = line.piece ?? number
    const { customerId } = line
    const named = customerId === null ? '' : inColumn(line.customerName ?? '') || `Client ${customerId}`
    yield `${[
      line.journal,
      journals[line.journal] ?? line.journal,
      number,
      dayOf(line.on),
      line.account,
      labels[line.account] ?? line.account,
      customerId ?? '',
      named,
      piece,
      dayOf(line.pieceOn),
      `${occasions[line.kind] ?? line.kind} ${piece}`,
      decimal(line.debit, ','),
      decimal(line.credit, ','),
      '',
      '',
      dayOf(line.on),
      '',
      '',
    ].join('|')}\r\n`
  }
}

/** As article A47 A-1, IX wants it to be called: the SIREN, and the day on which the year of the accounts ends. */
export const fecName = (siren: string, end: string): string => `${siren}FEC${dayOf(end)}.txt`
