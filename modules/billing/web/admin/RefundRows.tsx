import { Button } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { formatInstant, formatMoney } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import type { CustomerOnTheWire } from '../../contract/administration.ts'
import { ActOnInvoice, type Asked } from './ActOnInvoice.tsx'
import styles from './admin.module.css'

const acts = ['refund_paid', 'refund_dropped'] as const

/** What was given back or is on its way, and what somebody still has to transfer. */
export function RefundRows({ refunds }: { refunds: CustomerOnTheWire['refunds'] }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const [asked, setAsked] = useState<Asked | null>(null)
  return (
    <>
      <ul className={styles['plain']}>
        {refunds.map((each) => {
          const byHand = each.by === 'bank' && each.status === 'started'
          const amount = formatMoney(each.amount_cents, 'EUR', locale)
          const name = each.invoice ?? text('billing.admin.draft')
          return (
            <li key={each.id}>
              {formatInstant(each.created_at, locale)} – {name} – {amount} –{' '}
              {byHand
                ? text('billing.admin.refund.by_hand')
                : `${text(`billing.admin.refund.${each.status}`)}, ${text(`billing.admin.refund.by.${each.by}`)}`}
              {each.credit_note === null ? null : ` – ${each.credit_note}`}
              {each.failure === null ? null : ` – ${visible(each.failure)}`}
              {each.reference === null || byHand ? null : ` – ${visible(each.reference)}`}
              {byHand ? (
                <>
                  {each.reference === null ? null : (
                    <p className={styles['soft']}>
                      {text('billing.admin.refund.transfer', { amount, reference: visible(each.reference) })}
                    </p>
                  )}
                  <div className={styles['actions']}>
                    {acts.map((act) => (
                      <Button
                        key={act}
                        variant="default"
                        aria-label={`${text(`billing.admin.act.${act}`)} – ${name}`}
                        onClick={() => setAsked({ act, id: each.id, name, most: 0 })}
                      >
                        {text(`billing.admin.act.${act}`)}
                      </Button>
                    ))}
                  </div>
                </>
              ) : null}
            </li>
          )
        })}
      </ul>
      <ActOnInvoice asked={asked} onClose={() => setAsked(null)} />
    </>
  )
}
