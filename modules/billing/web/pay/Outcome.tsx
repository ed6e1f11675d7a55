import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { CopyButton } from '../../../../ui/controls/CopyButton.tsx'
import { useLocale, useOptionalText, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import type { PaymentOnTheWire } from '../../contract/payments.ts'
import { useMoney } from '../components/use-money.ts'
import styles from '../components/billing.module.css'

/** S-05: why it was not paid, in words, and what to do next. @param props.children who else may be asked */
export function Refused(props: { payment: PaymentOnTheWire; children?: ReactNode }): ReactNode {
  const text = useText()
  const optionalText = useOptionalText()
  const { day } = useMoney()
  const { failure, retry_on } = props.payment
  return (
    <div className={styles['notice']} data-tone="bad" role="alert">
      <strong>{text('billing.pay.refused')}</strong>
      <p>{optionalText(failure ?? '') ?? text('billing.refusal.other')}</p>
      {retry_on === null ? null : <p>{text('billing.pay.retry_on', { day: day(retry_on) })}</p>}
      {props.children}
    </div>
  )
}

/** What is to be paid, larger than what stands around it. */
export function ToPay(props: { cents: number }): ReactNode {
  const text = useText()
  const { money } = useMoney()
  return (
    <p>
      {text('billing.pay.amount')} <span className={styles['amount']}>{money(props.cents)}</span>{' '}
      <span className={styles['soft']}>{text('billing.pay.incl_vat')}</span>
    </p>
  )
}

/** Where a payment stands that is under way, or done. */
export function Standing(props: { payment: PaymentOnTheWire }): ReactNode {
  const text = useText()
  const { money, day } = useMoney()
  const { payment } = props
  if (payment.status === 'success')
    return (
      <div className={styles['notice']} data-tone="good">
        <strong>{text('billing.pay.paid', { amount: money(payment.amount_cents) })}</strong>
      </div>
    )
  if (payment.status === 'action_required')
    return (
      <>
        <ToPay cents={payment.amount_cents} />
        <div className={styles['notice']} data-tone="caution">
          <strong>{text('billing.pay.confirm')}</strong>
          <p>{text('billing.pay.confirm.more')}</p>
          {payment.redirect_url === null ? null : (
            <Button component="a" href={payment.redirect_url} size="md">
              {text('billing.pay.confirm.action')}
            </Button>
          )}
        </div>
      </>
    )
  if (payment.transfer !== null) return <Transfer transfer={payment.transfer} />
  return (
    <div className={styles['notice']} data-tone="plain">
      <strong>{text('billing.pay.under_way')}</strong>
      <p>
        {payment.expected_on === null
          ? text(`billing.pay.under_way.${payment.by ?? 'card'}`)
          : text('billing.pay.under_way.until', { day: day(payment.expected_on) })}
      </p>
    </div>
  )
}

function Transfer(props: { transfer: NonNullable<PaymentOnTheWire['transfer']> }): ReactNode {
  const text = useText()
  const { money } = useMoney()
  const locale = useLocale()
  const { transfer } = props
  const owed = transfer.amount_cents - transfer.received_cents
  const decimal = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, useGrouping: false })
  const rows = [
    // As a bank's form takes it: figures alone, with the separator of the language.
    ['billing.transfer.amount', money(owed), decimal.format(owed / 100)],
    ['billing.transfer.reference', transfer.reference, transfer.reference],
    ['billing.transfer.iban', transfer.iban.replaceAll(/(.{4})(?=.)/g, '$1 '), transfer.iban],
    ['billing.transfer.bic', transfer.bic, transfer.bic],
    ['billing.transfer.holder', visible(transfer.holder), transfer.holder],
  ] as const
  return (
    <div className={styles['card']}>
      <strong>{text('billing.transfer.title')}</strong>
      <p>{text('billing.transfer.lead')}</p>
      <dl className={styles['transfer']}>
        {rows.map(([label, shown, copied]) =>
          shown === null ? null : (
            <div key={label} style={{ display: 'contents' }}>
              <dt>{text(label)}</dt>
              <dd>
                <span>{shown}</span>
                <CopyButton value={copied ?? shown} what={text(label)} />
              </dd>
            </div>
          ),
        )}
      </dl>
      {transfer.received_cents === 0 ? null : (
        <p>{text('billing.transfer.received', { amount: money(transfer.received_cents) })}</p>
      )}
    </div>
  )
}
