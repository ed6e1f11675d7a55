import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Fragment, type ReactNode } from 'react'
import { Badge } from '../../../../ui/controls/Badge.tsx'
import { Loaded } from '../../../../ui/controls/ReferencePage.tsx'
import { Message, useLocale, useText } from '../../../../ui/intl/text.tsx'
import { withWholeNames } from '../../../../ui/intl/whole.tsx'
import { groupHex } from '../../../../ui/intl/format.ts'
import { notify } from '../../../../ui/shell/notify.ts'
import type { InvoiceWithLines } from '../../contract/invoices.ts'
import { useMoney } from '../components/use-money.ts'
import { TestPaymentsHere } from '../components/TestPayments.tsx'
import { PayInvoice } from '../pay/lazy-pay-invoice.tsx'
import { invoiceQuery, moneyKey } from '../components/queries.ts'
import { SavePdf } from './SavePdf.tsx'
import { useInvoiceWords } from './use-invoice-words.ts'
import account from '../components/billing.module.css'
import styles from './invoices.module.css'

/** C-40, E-36…E-40: one invoice or credit note, with its lines, and the way to pay it. */
export function InvoicePage(props: { id: string }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const invoice = useQuery(invoiceQuery(props.id))
  return (
    <section className={account['section']}>
      <p>
        <Link to="/$locale/account/$/" params={{ locale, _splat: 'invoice' }}>
          {text('billing.invoice.all')}
        </Link>
      </p>
      <Loaded query={invoice} loading={text('ui.loading')} failed={text('billing.invoice.failed')}>
        {(read) => <Shown invoice={read} />}
      </Loaded>
    </section>
  )
}

function Shown(props: { invoice: InvoiceWithLines }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const client = useQueryClient()
  const words = useInvoiceWords()
  const { day, money } = useMoney()
  const { invoice } = props
  const [part] = invoice.instalments
  const owes = invoice.kind === 'invoice' && invoice.status !== 'success' && invoice.to_pay_cents > 0
  return (
    <>
      {owes ? null : <TestPaymentsHere />}
      <div className={account['head']}>
        <h2>{withWholeNames(words.title(invoice))}</h2>
        <Badge tone={words.tone(invoice)}>{words.status(invoice)}</Badge>
        {invoice.number === null ? null : <SavePdf id={invoice.id} name={words.title(invoice)} />}
      </div>
      <dl className={styles['facts']}>
        {invoice.date === null ? null : (
          <>
            <dt>{text('billing.invoice.date')}</dt>
            <dd>{day(invoice.date)}</dd>
          </>
        )}
        {invoice.due_on === null || !owes ? null : (
          <>
            <dt>{text('billing.invoice.due_on')}</dt>
            <dd>{day(invoice.due_on)}</dd>
          </>
        )}
        <dt>{text('billing.invoices.category')}</dt>
        <dd>{text(`billing.category.${invoice.category}`)}</dd>
        {part === undefined || part.parts === 1 ? null : (
          <>
            <dt>{text('billing.invoice.instalment')}</dt>
            <dd>{text('billing.invoice.instalment.of', { part: part.part, parts: part.parts })}</dd>
          </>
        )}
        {invoice.credits === null ? null : (
          <>
            <dt>{text('billing.invoice.credits')}</dt>
            <dd>
              <Link to="/$locale/account/$/" params={{ locale, _splat: `invoice/${invoice.credits}` }}>
                {text('billing.invoice.credits.link')}
              </Link>
            </dd>
          </>
        )}
        {invoice.refunds.map((each, i) => (
          <Fragment key={i}>
            <dt>{text(`billing.invoice.refund.${each.status}`)}</dt>
            <dd>{text('billing.invoice.refund.value', { amount: money(each.amount_cents), day: day(each.date) })}</dd>
          </Fragment>
        ))}
      </dl>
      <Lines invoice={invoice} />
      {invoice.vat_treatment === 'standard' ? null : (
        <p className={account['soft']}>{text(`billing.vat.${invoice.vat_treatment}`)}</p>
      )}
      {owes ? (
        <section className={account['card']} data-screen="">
          <h3>{text('billing.invoice.pay')}</h3>
          <PayInvoice
            invoiceId={invoice.id}
            returnTo={`/${locale}/account/invoice/${invoice.id}/`}
            onPaid={() => {
              notify('success', text('billing.return.paid'), text('ui.notice.dismiss'))
              void client.invalidateQueries({ queryKey: moneyKey })
            }}
          />
        </section>
      ) : null}
      {invoice.sha256 === null ? null : (
        <p className={`${account['soft']} ${styles['digest']}`}>
          <Message id="billing.invoice.sha256" /> <code>{groupHex(invoice.sha256)}</code>
        </p>
      )}
    </>
  )
}

function Lines(props: { invoice: InvoiceWithLines }): ReactNode {
  const text = useText()
  const words = useInvoiceWords()
  const { money } = useMoney()
  const { invoice } = props
  const names = {
    what: text('billing.line.what'),
    quantity: text('billing.line.quantity'),
    unit: text('billing.line.unit'),
    rate: text('billing.line.rate'),
    net: text('billing.amount.net'),
  }
  const credited = invoice.gross_cents - invoice.to_pay_cents - invoice.paid_cents
  const sums = [
    [text('billing.amount.total_net'), invoice.net_cents],
    [text('billing.amount.vat'), invoice.vat_cents],
    [text('billing.amount.total_gross'), invoice.gross_cents],
    ...(invoice.kind === 'credit_note' || invoice.to_pay_cents === invoice.gross_cents
      ? []
      : ([
          ...(credited === 0 ? [] : ([[text('billing.invoice.credit_used'), -credited]] as const)),
          ...(invoice.paid_cents === 0 ? [] : ([[text('billing.invoice.paid_already'), -invoice.paid_cents]] as const)),
          [text('billing.quote.to_pay'), invoice.to_pay_cents],
        ] as const)),
  ] as const
  return (
    <table className={`${account['table']} ${styles['sums']}`}>
      <caption className="visually-hidden">{text('billing.line.caption')}</caption>
      <thead>
        <tr>
          <th scope="col">{names.what}</th>
          <th scope="col" data-number="">
            {names.quantity}
          </th>
          <th scope="col" data-number="">
            {names.unit}
          </th>
          <th scope="col" data-number="">
            {names.rate}
          </th>
          <th scope="col" data-number="">
            {names.net}
          </th>
        </tr>
      </thead>
      <tbody>
        {invoice.lines.map((line, i) => (
          <tr key={i}>
            <th scope="row" data-lead="">
              {words.line(line)}
            </th>
            <td data-number="" data-name={names.quantity}>
              {line.quantity}
            </td>
            <td data-number="" data-name={names.unit}>
              {money(line.unit_cents)}
            </td>
            <td data-number="" data-name={names.rate}>
              {text('billing.line.rate.value', { rate: line.vat_basis_points / 100 })}
            </td>
            <td data-number="" data-name={names.net}>
              {money(line.net_cents)}
            </td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        {sums.map(([name, cents]) => (
          <tr key={name}>
            <th scope="row" colSpan={4} data-lead="">
              {name}
            </th>
            <td data-number="">{money(cents)}</td>
          </tr>
        ))}
      </tfoot>
    </table>
  )
}
