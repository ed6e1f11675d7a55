import { Button } from '@mantine/core'
import { useId, useState, type ReactNode } from 'react'
import { call } from '../../../../ui/api/call.ts'
import { Dialog } from '../../../../ui/controls/Dialog.tsx'
import { useShownFirst } from '../../../../ui/forms/use-shown-first.ts'
import { formatMoney } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import {
  creditInvoice,
  dropRefund,
  refundInvoice,
  retryPayment,
  settleInvoice,
  settleRefund,
  type Answered,
} from '../../contract/administration.ts'
import { ConsequenceView } from './ConsequenceView.tsx'
import { readCents } from '../components/read-cents.ts'
import { administered } from './queries.ts'
import styles from './admin.module.css'

export type InvoiceAct = 'credit' | 'settle' | 'retry' | 'refund'
type RefundAct = 'refund_paid' | 'refund_dropped'
/** An act on an invoice, or on a refund of one. */
export type Asked = {
  readonly act: InvoiceAct | RefundAct
  readonly id: string
  /** Of the invoice. */
  readonly name: string
  /** As much of it as may be credited without VAT, or refunded. */
  readonly most: number
}
type Typed = { readonly reason: string; readonly reference: string; readonly amount: string }

function send(act: Asked['act'], id: string, { reason, reference, amount }: Typed, accepted?: string): Promise<Answered> {
  const params = { id }
  const more = { reason, ...(accepted === undefined ? {} : { accepted }) }
  if (act === 'settle') return call(settleInvoice, { params, body: { reference, ...more } })
  if (act === 'retry') return call(retryPayment, { params, body: more })
  if (act === 'refund_paid') return call(settleRefund, { params, body: { reference, ...more } })
  if (act === 'refund_dropped') return call(dropRefund, { params, body: more })
  const cents = amount.trim() === '' ? null : readCents(amount)
  if (act === 'refund') return call(refundInvoice, { params, body: { ...(cents === null ? {} : { cents }), ...more } })
  return call(creditInvoice, { params, body: { ...(cents === null ? {} : { net_cents: cents }), ...more } })
}

/** First why, then exactly what it would bring, then it is done: that, or nothing. */
export function ActOnInvoice(props: { asked: Asked | null; onClose: () => void }): ReactNode {
  const text = useText()
  const { asked } = props
  const title = asked === null ? '' : `${text(`billing.admin.act.${asked.act}`)} – ${asked.name}`
  return (
    <Dialog open={asked !== null} onClose={props.onClose} title={title}>
      {asked === null ? null : <Form key={asked.id} {...asked} onClose={props.onClose} />}
    </Dialog>
  )
}

function Form(props: Asked & { onClose: () => void }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const id = useId()
  const { act } = props
  const isAmount = act === 'credit' || act === 'refund'
  const isReference = act === 'settle' || act === 'refund_paid'
  const [typed, setTyped] = useState<Typed>({ reason: '', reference: '', amount: '' })
  const doing = useShownFirst({
    send: async (given: Typed, accepted?: string) => await send(act, props.id, given, accepted),
    said: text(`billing.admin.act.${act}.done`),
    changes: administered,
    onClose: props.onClose,
  })
  const set = (name: keyof Typed) => (event: { currentTarget: { value: string } }) => {
    setTyped({ ...typed, [name]: event.currentTarget.value })
    doing.retype()
  }
  const whatIsWrong = () => {
    if (isAmount && typed.amount.trim() !== '' && readCents(typed.amount) === null) return text('billing.admin.fault.amount')
    if (isReference && typed.reference.trim() === '') return text('billing.admin.fault.reference')
    return typed.reason.trim() === '' ? text('billing.admin.fault.reason') : null
  }
  if (doing.shown !== null)
    return (
      <div className={styles['form']}>
        <p>{text('billing.admin.confirm.lead')}</p>
        <ConsequenceView consequence={doing.shown.consequence} />
        <div className={styles['actions']}>
          <Button variant="default" size="md" onClick={doing.back}>
            {text('billing.admin.back')}
          </Button>
          <Button size="md" loading={doing.isDoing} onClick={doing.accept}>
            {text(`billing.admin.act.${act}.confirm`)}
          </Button>
        </div>
      </div>
    )
  return (
    <form
      className={styles['form']}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        const wrong = whatIsWrong()
        if (wrong === null) doing.ask(typed)
        else doing.refuse(wrong)
      }}
    >
      <p>{text(`billing.admin.act.${act}.lead`)}</p>
      {isAmount ? (
        <label>
          {text(act === 'credit' ? 'billing.admin.net' : 'billing.admin.gross', {
            amount: formatMoney(props.most, 'EUR', locale),
          })}
          <input inputMode="decimal" autoComplete="off" value={typed.amount} onChange={set('amount')} />
        </label>
      ) : null}
      {isReference ? (
        <label>
          {text('billing.admin.reference')}
          <input autoComplete="off" maxLength={200} value={typed.reference} onChange={set('reference')} />
        </label>
      ) : null}
      <label>
        {text('billing.admin.reason')}
        <textarea rows={3} maxLength={500} value={typed.reason} aria-describedby={`${id}-fault`} onChange={set('reason')} />
      </label>
      <p id={`${id}-fault`} className={styles['fault']} role="alert">
        {doing.fault}
      </p>
      <div className={styles['actions']}>
        <Button variant="default" size="md" onClick={props.onClose}>
          {text('billing.admin.cancel')}
        </Button>
        <Button type="submit" size="md" loading={doing.isAsking}>
          {text('billing.admin.show')}
        </Button>
      </div>
    </form>
  )
}
