import { Button } from '@mantine/core'
import { useId, useState, type ReactNode } from 'react'
import { call } from '../../../../ui/api/call.ts'
import { Dialog } from '../../../../ui/controls/Dialog.tsx'
import { Facts } from '../../../../ui/controls/Facts.tsx'
import { useShownFirst } from '../../../../ui/forms/use-shown-first.ts'
import { settlePayout, type PayoutConsequence } from '../../contract/administration.ts'
import { usePayoutWords } from '../use-words.ts'
import { administered } from './queries.ts'
import styles from '../payout.module.css'

export type Asked = { readonly outcome: 'success' | 'failed' | 'returned'; readonly id: string; readonly reference: string }

/** First why, then exactly what it would bring, then it is done: that, or nothing. */
export function SettlePayout(props: { asked: Asked | null; onClose: () => void }): ReactNode {
  const { text } = usePayoutWords()
  const { asked } = props
  const title =
    asked === null
      ? ''
      : text('payout.admin.act.of', { act: text(`payout.admin.act.${asked.outcome}`), reference: asked.reference })
  return (
    <Dialog open={asked !== null} onClose={props.onClose} title={title}>
      {asked === null ? null : <Form key={`${asked.id} ${asked.outcome}`} {...asked} onClose={props.onClose} />}
    </Dialog>
  )
}

function Form(props: Asked & { onClose: () => void }): ReactNode {
  const { text } = usePayoutWords()
  const id = useId()
  const { outcome } = props
  const [reason, setReason] = useState('')
  const act = useShownFirst({
    send: async (why: string, accepted?: string) =>
      await call(settlePayout, {
        params: { id: props.id },
        body: { outcome, reason: why, ...(accepted === undefined ? {} : { accepted }) },
      }),
    said: text('payout.admin.done'),
    changes: administered,
    onClose: props.onClose,
  })
  if (act.shown !== null)
    return (
      <div className={styles['form']}>
        <p>{text('payout.admin.confirm.lead')}</p>
        <Consequence of={act.shown.consequence} />
        <div className={styles['documents']}>
          <Button variant="default" size="md" onClick={act.back}>
            {text('payout.admin.back')}
          </Button>
          <Button size="md" loading={act.isDoing} onClick={act.accept}>
            {text('payout.admin.confirm')}
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
        if (reason.trim() === '') act.refuse(text('payout.admin.reason.missing'))
        else act.ask(reason)
      }}
    >
      <p>{text(`payout.admin.${outcome}.lead`)}</p>
      <label>
        {text('payout.admin.reason')}
        <textarea
          rows={3}
          maxLength={500}
          value={reason}
          aria-describedby={`${id}-fault`}
          onChange={(event) => {
            setReason(event.currentTarget.value)
            act.retype()
          }}
        />
      </label>
      <p id={`${id}-fault`} className={styles['fault']} role="alert">
        {act.fault}
      </p>
      <div className={styles['documents']}>
        <Button variant="default" size="md" onClick={props.onClose}>
          {text('payout.admin.cancel')}
        </Button>
        <Button type="submit" size="md" loading={act.isAsking}>
          {text('payout.admin.show')}
        </Button>
      </div>
    </form>
  )
}

function Consequence(props: { of: PayoutConsequence }): ReactNode {
  const { text, money } = usePayoutWords()
  const id = useId()
  const { status, invoice, entries, ...sums } = props.of
  const said = (value: string) => {
    const known = (['pending', 'success', 'failed', 'returned'] as const).find((each) => each === value)
    return known === undefined ? value : text(`payout.status.${known}`)
  }
  const sum = (name: 'owed' | 'reserved' | 'paid') => {
    const { before, after } = sums[`${name}_cents`]
    const value = before === after ? money(after) : text('payout.admin.change', { before: money(before), after: money(after) })
    return [text(`payout.admin.${name}`), value] as const
  }
  return (
    <>
      <Facts
        rows={[
          [text('payout.admin.state'), text('payout.admin.change', { before: said(status.before), after: said(status.after) })],
          sum('owed'),
          sum('reserved'),
          sum('paid'),
          ...(invoice === null ? [] : [[text('payout.admin.invoice'), text(`payout.admin.invoice.${invoice}`)] as const]),
        ]}
      />
      {entries.length === 0 ? null : (
        <section>
          <h3 id={id}>{text('payout.admin.entries')}</h3>
          <ul className={styles['entries']} aria-labelledby={id}>
            {entries.flatMap(({ journal, postings }, i) =>
              postings.map(({ account, debit_cents: debit, credit_cents: credit }, j) => (
                <li key={`${String(i)}-${String(j)}`}>
                  {debit > 0
                    ? text('payout.admin.debit', { journal, account, amount: money(debit) })
                    : text('payout.admin.credit', { journal, account, amount: money(credit) })}
                </li>
              )),
            )}
          </ul>
        </section>
      )}
    </>
  )
}
