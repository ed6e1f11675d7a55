import type { ReactNode } from 'react'
import { Facts } from '../../../../ui/controls/Facts.tsx'
import { formatDay, formatMoney } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import type { Consequence } from '../../contract/administration.ts'
import styles from './admin.module.css'

type Known<T extends string> = (value: string) => value is T
const settlements = ['pending', 'processing', 'success', 'failed', 'reversed'] as const
const isSettlement: Known<(typeof settlements)[number]> = (value): value is (typeof settlements)[number] =>
  settlements.some((each) => each === value)
const statuses = ['unit', 'incomplete', 'active', 'past_due', 'suspended', 'cancelled'] as const
const isStatus: Known<(typeof statuses)[number]> = (value): value is (typeof statuses)[number] =>
  statuses.some((each) => each === value)

const refundStates = ['started', 'unknown', 'succeeded', 'failed'] as const
const isRefundState: Known<(typeof refundStates)[number]> = (value): value is (typeof refundStates)[number] =>
  refundStates.some((each) => each === value)

/** All that an act changes, as the rules that carry it out found it. */
export function ConsequenceView({ consequence }: { consequence: Consequence }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const money = (cents: number) => formatMoney(cents, 'EUR', locale)
  const from = (before: string, after: string) => text('billing.admin.change', { before, after })
  const day = (on: string | null) => (on === null ? text('billing.admin.never') : formatDay(on, locale))
  const settled = (value: string) => (isSettlement(value) ? text(`billing.admin.settlement.${value}`) : value)
  const refunded = (value: string) => (isRefundState(value) ? text(`billing.admin.refund.${value}`) : value)
  const status = (value: string) => (isStatus(value) ? text(`billing.admin.status.${value}`) : value)
  const { credit, balance, documents, invoices, refunds, subscription, entries } = consequence
  const rows: (readonly [string, ReactNode])[] = [
    ...documents.map(
      (each) =>
        [
          text(`billing.admin.kind.${each.kind}`),
          text('billing.admin.amounts', {
            net: money(each.net_cents),
            vat: money(each.vat_cents),
            gross: money(each.gross_cents),
          }),
        ] as const,
    ),
    ...invoices.flatMap((each) => {
      const name = each.number ?? text('billing.admin.draft')
      return [
        ...(each.left_cents.before === each.left_cents.after
          ? []
          : [
              [
                text('billing.admin.left_of', { name }),
                from(money(each.left_cents.before), money(each.left_cents.after)),
              ] as const,
            ]),
        ...(each.status.before === each.status.after
          ? []
          : [[text('billing.admin.state_of', { name }), from(settled(each.status.before), settled(each.status.after))] as const]),
        ...(each.tried_on.before === each.tried_on.after
          ? []
          : [[text('billing.admin.tried_of', { name }), from(day(each.tried_on.before), day(each.tried_on.after))] as const]),
      ]
    }),
    ...refunds.map(
      (each) =>
        [
          text('billing.admin.refund.of', { invoice: each.invoice ?? text('billing.admin.draft') }),
          each.status.before === null
            ? `${money(each.amount_cents)}, ${text(`billing.admin.refund.by.${each.by}`)}`
            : `${money(each.amount_cents)}, ${from(refunded(each.status.before), refunded(each.status.after))}`,
        ] as const,
    ),
    ...(subscription === null
      ? []
      : [
          [
            text('billing.admin.subscription'),
            from(status(subscription.status.before), status(subscription.status.after)),
          ] as const,
        ]),
    [
      text('billing.admin.credit'),
      credit.before === credit.after ? money(credit.after) : from(money(credit.before), money(credit.after)),
    ],
    [
      text('billing.admin.balance'),
      balance.before === balance.after ? money(balance.after) : from(money(balance.before), money(balance.after)),
    ],
  ]
  return (
    <>
      <Facts rows={rows} />
      {entries.length === 0 ? null : (
        <ul className={styles['entries']} aria-label={text('billing.admin.entries')}>
          {entries.flatMap(({ journal, postings }, i) =>
            postings.map((posting, j) => (
              <li key={`${String(i)}-${String(j)}`}>
                <code>
                  {journal} {posting.account}
                </code>{' '}
                {posting.debit_cents > 0
                  ? text('billing.admin.debit', { amount: money(posting.debit_cents) })
                  : text('billing.admin.credit_side', { amount: money(posting.credit_cents) })}
              </li>
            )),
          )}
        </ul>
      )}
    </>
  )
}
