import type { ReactNode } from 'react'
import type { ResponseOf } from '../../../../kernel/endpoint.ts'
import { Badge } from '../../../../ui/controls/Badge.tsx'
import { formatMonth } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import type { CardOnTheWire, listPaymentMethods, MandateOnTheWire } from '../../contract/payments.ts'
import styles from '../components/billing.module.css'

/** Id of a card that is kept, or one of the others. */
export type Chosen = string

export const usableMandate = (mandate: MandateOnTheWire | null): boolean =>
  mandate?.status === 'active' || mandate?.status === 'submitted'

/** `Card ending in 1119`. */
export function useCardName(): (card: CardOnTheWire) => string {
  const text = useText()
  return ({ last_digits }) => text('billing.card.ending', { digits: visible(last_digits) })
}

/** Until when it holds, or that it no longer does. */
export function CardTerm({ card }: { card: CardOnTheWire }): ReactNode {
  const text = useText()
  const locale = useLocale()
  // The day after the last on which it holds is the first of a month.
  const month = formatMonth(card.expires_on.slice(0, 7), 1, locale)
  return card.expired ? (
    <Badge tone="bad">{text('billing.card.expired', { month })}</Badge>
  ) : (
    <span className={styles['soft']}>{text('billing.card.until', { month })}</span>
  )
}

/** By what it is paid. */
export function Means(props: {
  methods: ResponseOf<typeof listPaymentMethods>
  chosen: Chosen
  onChoose: (chosen: Chosen) => void
  newCard: ReactNode
}): ReactNode {
  const text = useText()
  const nameOf = useCardName()
  const { chosen, onChoose } = props
  const { cards, mandate, by } = props.methods
  const choice = (value: Chosen, label: ReactNode, more: ReactNode, disabled = false) => (
    <label key={value} className={styles['choice']}>
      <input type="radio" name="means" checked={chosen === value} disabled={disabled} onChange={() => onChoose(value)} />
      <span>{label}</span>
      {more === null ? null : <small>{more}</small>}
    </label>
  )
  return (
    <fieldset className={styles['group']}>
      <legend>{text('billing.pay.means')}</legend>
      {cards.map((card) => choice(card.id, nameOf(card), <CardTerm card={card} />, card.expired))}
      {by.includes('card')
        ? choice('new', text(cards.length === 0 ? 'billing.pay.card' : 'billing.pay.new_card'), text('billing.pay.card.more'))
        : null}
      {chosen === 'new' ? props.newCard : null}
      {by.includes('mandate')
        ? choice(
            'mandate',
            text('billing.pay.mandate'),
            usableMandate(mandate)
              ? text('billing.pay.mandate.signed', { reference: visible(mandate?.reference ?? '–') })
              : text('billing.pay.mandate.unsigned'),
          )
        : null}
      {by.includes('transfer') ? choice('transfer', text('billing.pay.transfer'), text('billing.pay.transfer.more')) : null}
    </fieldset>
  )
}
