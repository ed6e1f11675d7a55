import type { ReactNode } from 'react'
import { useText } from '../../../../ui/intl/text.tsx'
import type { QuoteOnTheWire } from '../../contract/subscriptions.ts'
import { useMoney } from '../components/use-money.ts'
import styles from '../components/billing.module.css'

/** Every invoice that a change brings, with its day and to the cent, before anything binds; what is given back; what comes after. */
export function QuoteTable(props: { quote: QuoteOnTheWire }): ReactNode {
  const text = useText()
  const { money, day, span } = useMoney()
  const { invoices, credits, renewal, extras, credit_left_cents: left } = props.quote
  const credited = invoices.some((each) => each.to_pay_cents !== each.gross_cents)
  const names = {
    day: text('billing.quote.day'),
    net: text('billing.amount.net'),
    vat: text('billing.amount.vat'),
    gross: text('billing.amount.gross'),
    pay: text('billing.quote.to_pay'),
  }
  return (
    <>
      {invoices.length === 0 ? null : (
        <table className={styles['table']}>
          <caption className="visually-hidden">{text('billing.quote.caption')}</caption>
          <thead>
            <tr>
              <th scope="col">{names.day}</th>
              <th scope="col" data-number="">
                {names.net}
              </th>
              <th scope="col" data-number="">
                {names.vat}
              </th>
              <th scope="col" data-number="">
                {names.gross}
              </th>
              {credited ? (
                <th scope="col" data-number="">
                  {names.pay}
                </th>
              ) : null}
            </tr>
          </thead>
          <tbody>
            {invoices.map((each) => (
              <tr key={each.part}>
                <th scope="row" data-lead="">
                  {day(each.issued_on)}
                  {each.parts === 1 ? null : (
                    <small className={styles['soft']}>
                      {' '}
                      {text('billing.quote.part', { part: each.part, parts: each.parts })}
                    </small>
                  )}
                </th>
                <td data-number="" data-name={names.net}>
                  {money(each.net_cents)}
                </td>
                <td data-number="" data-name={names.vat}>
                  {money(each.vat_cents)}
                </td>
                <td data-number="" data-name={names.gross}>
                  {money(each.gross_cents)}
                </td>
                {credited ? (
                  <td data-number="" data-name={names.pay}>
                    {money(each.to_pay_cents)}
                  </td>
                ) : null}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {credits.map((each) => (
        <p key={each.invoice_id}>
          {text('billing.quote.credit', {
            gross: money(each.gross_cents),
            ...span(each.covers_from, each.covers_to),
          })}
        </p>
      ))}
      {extras === null ? null : (
        <p>{text('billing.quote.extras', { day: day(extras.on), gross: money(extras.gross_cents), count: extras.count })}</p>
      )}
      {left === 0 ? null : <p>{text('billing.quote.left', { amount: money(left) })}</p>}
      {renewal === null ? null : (
        <p>
          {text('billing.quote.renewal', {
            day: day(renewal.on),
            gross: money(renewal.gross_cents),
            net: money(renewal.net_cents),
          })}
        </p>
      )}
    </>
  )
}
