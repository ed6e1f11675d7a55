import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { Badge, BadgeRow } from '../../../../ui/controls/Badge.tsx'
import { formatDay, formatMoney } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { withWholeNames } from '../../../../ui/intl/whole.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { readAnyDocument, type AdminInvoice } from '../../contract/administration.ts'
import { SavePdf } from '../invoice/SavePdf.tsx'
import { ActOnInvoice, type Asked, type InvoiceAct } from './ActOnInvoice.tsx'
import styles from './admin.module.css'

const toneOf = { success: 'good', pending: 'caution', failed: 'bad', processing: 'accent', reversed: 'bad' } as const

function possible(invoice: AdminInvoice): readonly InvoiceAct[] {
  const isOwed = invoice.instalment === 'due' || invoice.instalment === 'failed'
  return [
    ...(invoice.creditable_net_cents > 0 ? (['credit'] as const) : []),
    ...(invoice.refundable_cents > 0 ? (['refund'] as const) : []),
    ...(isOwed ? (['settle', 'retry'] as const) : []),
  ]
}

/** Invoices, with what may be done to each. */
export function InvoiceRows(props: {
  invoices: readonly AdminInvoice[]
  busy?: boolean
  /** Whose they are is said elsewhere. */
  ofOne?: boolean
  /** By the id of the invoice. */
  notes?: ReadonlyMap<string, string>
}): ReactNode {
  const text = useText()
  const locale = useLocale()
  const [asked, setAsked] = useState<Asked | null>(null)
  const nameOf = (invoice: AdminInvoice) => invoice.number ?? text('billing.admin.draft')
  const ask = (invoice: AdminInvoice, act: InvoiceAct) =>
    setAsked({
      act,
      id: invoice.id,
      name: nameOf(invoice),
      most: act === 'refund' ? invoice.refundable_cents : invoice.creditable_net_cents,
    })
  return (
    <>
      <ul className={styles['rows']} aria-busy={props.busy === true} aria-label={text('billing.admin.desk.invoices')}>
        {props.invoices.map((invoice) => (
          <li key={invoice.id} className={styles['row']}>
            <div className={styles['who']}>
              <strong>{withWholeNames(nameOf(invoice))}</strong>
              {props.ofOne === true ? null : (
                <>
                  {' – '}
                  <Link
                    to="/$locale/admin/$/"
                    params={{ locale, _splat: `billing/customers/${invoice.customer_id}` }}
                    preload={false}
                  >
                    {invoice.customer === '' ? text('billing.admin.nobody') : visible(invoice.customer)}
                  </Link>
                </>
              )}
              <p className={styles['soft']}>
                {text(`billing.admin.kind.${invoice.kind}`)}, {text(`billing.admin.category.${invoice.category}`)}
                {invoice.date === null ? null : `, ${formatDay(invoice.date, locale)}`}
              </p>
              {props.notes === undefined ? null : <p className={styles['soft']}>{props.notes.get(invoice.id)}</p>}
            </div>
            <BadgeRow>
              {invoice.kind === 'credit_note' ? null : (
                <Badge tone={toneOf[invoice.settlement]}>{text(`billing.admin.settlement.${invoice.settlement}`)}</Badge>
              )}
            </BadgeRow>
            <p className={styles['figures']}>
              {formatMoney(invoice.gross_cents, 'EUR', locale)}
              {invoice.left_cents === 0 ? null : (
                <>
                  <br />
                  {text('billing.admin.left', { amount: formatMoney(invoice.left_cents, 'EUR', locale) })}
                </>
              )}
              {invoice.refundable_cents === 0 ? null : (
                <>
                  <br />
                  {text('billing.admin.refund.refundable', { amount: formatMoney(invoice.refundable_cents, 'EUR', locale) })}
                </>
              )}
            </p>
            {invoice.number === null && possible(invoice).length === 0 ? null : (
              <div className={styles['actions']}>
                {invoice.number === null ? null : <SavePdf id={invoice.id} name={invoice.number} of={readAnyDocument} />}
                {possible(invoice).map((act) => (
                  <Button
                    key={act}
                    variant="default"
                    aria-label={`${text(`billing.admin.act.${act}`)} – ${nameOf(invoice)}`}
                    onClick={() => ask(invoice, act)}
                  >
                    {text(`billing.admin.act.${act}`)}
                  </Button>
                ))}
              </div>
            )}
          </li>
        ))}
      </ul>
      <ActOnInvoice asked={asked} onClose={() => setAsked(null)} />
    </>
  )
}
