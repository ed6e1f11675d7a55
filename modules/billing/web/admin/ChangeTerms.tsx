import { Button } from '@mantine/core'
import { useId, useState, type ReactNode } from 'react'
import { call } from '../../../../ui/api/call.ts'
import { Dialog } from '../../../../ui/controls/Dialog.tsx'
import { useShownFirst } from '../../../../ui/forms/use-shown-first.ts'
import { formatDay } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { changePlan, quoteCustomPlan, type PlanChangeOnTheWire } from '../../contract/administration.ts'
import type { PlanTermsOnTheWire } from '../../contract/plans.ts'
import { readCents } from '../components/read-cents.ts'
import { administered } from './queries.ts'
import { countFields, moneyFields, TermsFacts } from './TermsFacts.tsx'
import styles from './admin.module.css'

type Of = { readonly plan: 'unit' | 'essential' | 'comfort' } | { readonly customer: string; readonly name: string }
type Typed = Readonly<Record<(typeof moneyFields)[number] | (typeof countFields)[number] | 'from' | 'reason', string>>
type Terms = Omit<PlanTermsOnTheWire, 'plan' | 'effective_from'>

const typedOf = (terms: PlanTermsOnTheWire | null, locale: string): Typed => ({
  from: '',
  reason: '',
  month_cents: euros(terms?.month_cents, locale),
  year_cents: euros(terms?.year_cents, locale),
  report_cents: euros(terms?.report_cents ?? 9900, locale),
  timestamp_cents: euros(terms?.timestamp_cents ?? 500, locale),
  reports_per_month: String(terms?.reports_per_month ?? ''),
  timestamps_per_month: String(terms?.timestamps_per_month ?? ''),
  drafts: String(terms?.drafts ?? 50),
  seats: String(terms?.seats ?? 5),
})
/** With the separator of the language that it is typed in. */
function euros(cents: number | null | undefined, locale: string): string {
  return cents == null ? '' : (cents / 100).toFixed(2).replace('.', locale === 'fr' ? ',' : '.')
}

/** null: something typed is no amount or no number. An empty price is none to be had; an empty quota is any number. */
function readTerms(typed: Typed): Terms | null {
  const prices = moneyFields.map((field) => (typed[field].trim() === '' ? null : (readCents(typed[field]) ?? Number.NaN)))
  const counts = countFields.map((field) => (typed[field].trim() === '' ? null : Number(typed[field])))
  const [drafts, seats] = counts.slice(2)
  if ([...prices, ...counts].some((value) => value !== null && !Number.isInteger(value)) || drafts == null || seats == null)
    return null
  const [month_cents = null, year_cents = null, report_cents = null, timestamp_cents = null] = prices
  const [reports_per_month = null, timestamps_per_month = null] = counts
  return { month_cents, year_cents, report_cents, timestamp_cents, reports_per_month, timestamps_per_month, drafts, seats }
}

function send(of: Of, terms: Terms, typed: Typed, accepted?: string): Promise<PlanChangeOnTheWire> {
  const body = { from: typed.from, ...terms, ...(accepted === undefined ? {} : { accepted }) }
  return 'plan' in of
    ? call(changePlan, { body: { plan: of.plan, ...body } })
    : call(quoteCustomPlan, { params: { id: of.customer }, body: { ...body, reason: typed.reason } })
}

/** Prices from a day on: typed, shown beside what they were with whom they renew, then set. */
export function ChangeTerms(props: {
  open: boolean
  of: Of | null
  terms: PlanTermsOnTheWire | null
  onClose: () => void
}): ReactNode {
  const text = useText()
  const { of } = props
  const title =
    of === null
      ? ''
      : 'plan' in of
        ? `${text('billing.admin.change_plan')} – ${text(`billing.admin.plan.${of.plan}`)}`
        : `${text('billing.admin.quote')} – ${of.name}`
  return (
    <Dialog open={props.open && of !== null} onClose={props.onClose} title={title}>
      {of === null ? null : <Form of={of} terms={props.terms} onClose={props.onClose} />}
    </Dialog>
  )
}

function Form(props: { of: Of; terms: PlanTermsOnTheWire | null; onClose: () => void }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const id = useId()
  const { of } = props
  const [typed, setTyped] = useState(() => typedOf(props.terms, locale))
  const doing = useShownFirst({
    send: async (terms: Terms, accepted?: string) => await send(of, terms, typed, accepted),
    said: text('billing.admin.terms.done'),
    changes: administered,
    onClose: props.onClose,
  })
  const { shown } = doing
  if (shown !== null)
    return (
      <div className={styles['form']}>
        <p>{text('billing.admin.from', { day: formatDay(shown.after.effective_from, locale) })}</p>
        <TermsFacts terms={shown.after} before={shown.before} />
        <p>
          {shown.first_renewal === null
            ? text('billing.admin.renewing.none')
            : text('billing.admin.renewing', { count: shown.renewing, day: formatDay(shown.first_renewal, locale) })}
        </p>
        <div className={styles['actions']}>
          <Button variant="default" size="md" onClick={doing.back}>
            {text('billing.admin.back')}
          </Button>
          <Button size="md" loading={doing.isDoing} onClick={doing.accept}>
            {text('billing.admin.terms.confirm')}
          </Button>
        </div>
      </div>
    )
  const input = (name: keyof Typed, mode: 'decimal' | 'numeric' | 'text') => (
    <label key={name}>
      {text(`billing.admin.field.${name}`)}
      <input
        type={name === 'from' ? 'date' : 'text'}
        {...(name === 'from' ? {} : { inputMode: mode })}
        autoComplete="off"
        value={typed[name]}
        onChange={(event) => {
          setTyped({ ...typed, [name]: event.currentTarget.value })
          doing.retype()
        }}
      />
    </label>
  )
  return (
    <form
      className={styles['form']}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        const read = readTerms(typed)
        const wrong =
          typed.from === ''
            ? 'billing.admin.fault.from'
            : read === null
              ? 'billing.admin.fault.amount'
              : !('plan' in of) && typed.reason.trim() === ''
                ? 'billing.admin.fault.reason'
                : null
        if (wrong !== null) doing.refuse(text(wrong))
        else if (read !== null) doing.ask(read)
      }}
    >
      {input('from', 'text')}
      <p className={styles['soft']}>{text('billing.admin.terms.lead')}</p>
      <div className={styles['pairs']}>
        {moneyFields.map((field) => input(field, 'decimal'))}
        {countFields.map((field) => input(field, 'numeric'))}
      </div>
      {'plan' in of ? null : input('reason', 'text')}
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
