/** A payout as a printed document: what was paid, to whom, and each line of an invoice that it comes from. */
import type { Inlines } from '../../../../kernel/document/blocks.ts'
import type { Locale } from '../../../../kernel/locale.ts'
import { createMessages, type MessageId, type MessageValues } from '../../../../platform/messages/messages.ts'
import { facts, heading, paragraph, soft, strong } from '../../../../platform/print/document/inlines.ts'
import { outside } from '../../../../platform/print/document/outside.ts'
import type { PrintedDocument } from '../../../../platform/print/document/printed-document.ts'
import { plainText } from '../../../../platform/print/hostile-text.ts'
import { buyerOf, dayOf, documentWords, partyBox, runningOf, sellerOf, type PayeeParty } from '../../../billing/server/index.ts'
import type { PayoutDeps } from '../keep/deps.ts'
import type { listLines } from '../keep/earning-list-store.ts'
import type { Payout } from '../keep/payout-store.ts'

export type StatementFacts = {
  readonly payout: Payout
  readonly payee: PayeeParty
  readonly operator: PayoutDeps['seller']
  readonly lines: Awaited<ReturnType<typeof listLines>>
  /** No money moved. */
  readonly test: boolean
}

export function composeStatement(locale: Locale, of: StatementFacts): PrintedDocument {
  const words = documentWords(locale)
  const { t, day, money, rate, tag } = words
  const messages = createMessages(locale)
  const say = (id: string, values?: MessageValues) => messages.format(`payout.paper.${id}` as MessageId, values)
  const { payout, lines } = of
  const text = (value: string, limit = 120) => outside(value, limit, (count) => t('billing.document.left_out', { count }))
  const operator = sellerOf(of.operator)
  const { form, capital, register } = operator.legal
  const legalText = t('billing.document.legal', {
    form,
    capital: capital ?? 'none',
    register: register ?? 'none',
    vat: operator.vatId ?? 'none',
  })
  const payee = buyerOf(of.payee)
  const seller = plainText(operator.name, 120)
  const paidOn = dayOf(payout.settledAt ?? payout.createdAt)
  const title = say('title', { date: day(paidOn) })
  const origin = ({ source, number, line, rate: share, baseCents, cents }: (typeof lines)[number]): Inlines => {
    const values = { invoice: number ?? '–', line, rate: rate(share), base: money(baseCents) }
    return say(cents < 0 ? `${source}.back` : source, values)
  }
  return {
    look: 'invoice',
    language: tag,
    title,
    subject: title,
    date: new Date(`${paidOn}T00:00:00Z`),
    running: runningOf(words, seller, title),
    mark: of.test ? t('billing.document.test_mark') : null,
    blocks: [
      {
        kind: 'columns',
        shares: [50, 50],
        columns: [
          [paragraph(strong(text(operator.name)), 'lead'), heading(1, say('heading'))],
          [
            {
              ...facts(
                [say('paid_on'), strong(day(paidOn))],
                [say('reference'), strong(payout.referenceText)],
                [say('cents'), strong(money(payout.grossCents))],
              ),
              look: 'dense',
            },
          ],
        ],
      },
      { kind: 'boxes', boxes: [partyBox({ text, tag }, say('from'), operator), partyBox({ text, tag }, say('to'), payee)] },
      {
        kind: 'table',
        columns: [{ head: say('earned_on'), share: 19 }, { head: say('what') }, { head: say('cents'), share: 16, figures: true }],
        rows: lines.map((line) => [day(line.earnedOn), origin(line), money(line.cents)]),
      },
      {
        kind: 'together',
        blocks: [
          {
            kind: 'columns',
            shares: [46, 54],
            columns: [
              [paragraph(soft(say(`vat.${payout.vatTreatment}`)), 'small')],
              [
                {
                  kind: 'sums',
                  rows: [
                    { name: t('billing.document.sum_net'), amount: money(payout.netCents) },
                    { name: t('billing.document.sum_vat'), amount: money(payout.vatCents) },
                    { name: say('amount'), amount: money(payout.grossCents), result: true },
                  ],
                },
              ],
            ],
          },
        ],
      },
      { kind: 'fill' },
      // Who pays, as the law has a company name itself on its papers (C. com., art. R123-237).
      paragraph([strong(text(operator.name)), ', ', text(legalText, 400)], 'small'),
    ],
    attachments: [],
    files: [],
  }
}
