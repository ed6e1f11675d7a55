/** The account of a customer in the books of the seller, as a printed document. */
import type { Cell, Inlines } from '../../../../kernel/document/blocks.ts'
import { facts, heading, paragraph, soft, strong } from '../../../../platform/print/document/inlines.ts'
import { outside } from '../../../../platform/print/document/outside.ts'
import type { PrintedDocument } from '../../../../platform/print/document/printed-document.ts'
import { plainText } from '../../../../platform/print/hostile-text.ts'
import type { Day } from '../../domain/calendar/calendar.ts'
import type { Party } from '../../domain/document/invoice-document.ts'
import type { StatementLine } from '../accounting/statement-store.ts'
import { partyBox } from '../document/page/parties.ts'
import { runningOf } from '../document/page/running.ts'
import type { DocumentWords } from '../document/words/document-words.ts'

export type StatementFacts = {
  readonly seller: Party
  readonly legalText: string
  readonly buyer: Party
  /** The oldest first; there is one at least. */
  readonly lines: readonly StatementLine[]
  readonly on: Day
  /** Whether payments move no money. */
  readonly test: boolean
}

const kinds = ['invoice', 'credit_note', 'payment', 'reversal', 'refund'] as const
const isKnown = (kind: string): kind is (typeof kinds)[number] => kinds.some((each) => each === kind)

export function composeStatement(words: DocumentWords, of: StatementFacts): PrintedDocument {
  const { t, day, money, tag } = words
  const { lines, on } = of
  const text = (value: string, limit = 120) => outside(value, limit, (count) => t('billing.document.left_out', { count }))
  const seller = plainText(of.seller.name, 120)
  const title = t('billing.statement.file_title', { date: day(on) })
  const balance = lines.at(-1)?.balance ?? 0
  const said = ({ kind, number }: StatementLine): Inlines =>
    t(isKnown(kind) ? `billing.statement.kind.${kind}` : 'billing.statement.kind.other', { number: number ?? 'none' })
  const amount = (cents: number): Cell => (cents === 0 ? '' : money(cents))
  const sum = (of_: 'debit' | 'credit') => lines.reduce((all, line) => all + line[of_], 0)
  const result = balance > 0 ? 'owed' : balance < 0 ? 'credit' : 'even'
  return {
    look: 'invoice',
    language: tag,
    title,
    subject: t('billing.statement.subject', { seller, date: day(on) }),
    date: new Date(`${on}T00:00:00Z`),
    running: runningOf(words, seller, title),
    mark: of.test ? t('billing.document.test_mark') : null,
    blocks: [
      {
        kind: 'columns',
        shares: [50, 50],
        columns: [
          [paragraph(strong(text(of.seller.name)), 'lead'), heading(1, t('billing.statement.title'))],
          [
            {
              ...facts(
                [t('billing.statement.on'), strong(day(on))],
                [t('billing.statement.since'), day(lines[0]?.on ?? on)],
                [t(`billing.statement.balance.${result}`), strong(money(Math.abs(balance)))],
              ),
              look: 'dense',
            },
          ],
        ],
      },
      {
        kind: 'boxes',
        boxes: [
          partyBox({ text, tag }, t('billing.document.seller'), of.seller),
          partyBox({ text, tag }, t('billing.document.buyer'), of.buyer),
        ],
      },
      {
        kind: 'table',
        columns: [
          { head: t('billing.statement.day'), share: 19 },
          { head: t('billing.statement.what') },
          { head: t('billing.statement.debit'), share: 16, figures: true },
          { head: t('billing.statement.credit'), share: 16, figures: true },
          { head: t('billing.statement.balance'), share: 16, figures: true },
        ],
        rows: lines.map((line): readonly Cell[] => [
          day(line.on),
          said(line),
          amount(line.debit),
          amount(line.credit),
          money(line.balance),
        ]),
      },
      {
        kind: 'together',
        blocks: [
          {
            kind: 'columns',
            shares: [46, 54],
            columns: [
              [paragraph(soft(t('billing.statement.lead')), 'small')],
              [
                {
                  kind: 'sums',
                  rows: [
                    { name: t('billing.statement.sum_debit'), amount: money(sum('debit')) },
                    { name: t('billing.statement.sum_credit'), amount: money(-sum('credit')) },
                    { name: t(`billing.statement.balance.${result}`), amount: money(Math.abs(balance)), result: true },
                  ],
                },
              ],
            ],
          },
        ],
      },
      { kind: 'fill' },
      paragraph([strong(text(of.seller.name)), ', ', text(of.legalText, 400)], 'small'),
    ],
    attachments: [],
    files: [],
  }
}
