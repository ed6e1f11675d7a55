import type { ReactNode } from 'react'
import { useText } from '../../../../ui/intl/text.tsx'
import { shareOf } from '../../domain/price.ts'
import { useMoney } from '../components/use-money.ts'
import styles from '../components/licensing.module.css'

/** What the buyer pays of one licence, and what is left to its seller. */
export function OfferFigures(props: { price: number; fee: number; vat: number }): ReactNode {
  const text = useText()
  const money = useMoney()
  const { price } = props
  const [vat, fee] = [shareOf(price, props.vat), shareOf(price, props.fee)]
  const rows = [
    [text('licensing.offer.net'), money(price)],
    [text('licensing.offer.vat', { rate: props.vat / 100 }), money(vat)],
    [text('licensing.offer.gross'), money(price + vat)],
    [text('licensing.offer.fee', { rate: props.fee / 100 }), money(fee)],
    [text('licensing.offer.earned'), money(price - fee)],
  ] as const
  return (
    <dl className={styles['tallies']} aria-label={text('licensing.offer.figures')}>
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
