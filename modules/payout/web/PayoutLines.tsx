import type { ReactNode } from 'react'
import type { PayoutLine } from '../contract/payouts.ts'
import { usePayoutWords } from './use-words.ts'
import styles from './payout.module.css'

/** S-20: each line of an invoice that a payout comes from. */
export function PayoutLines(props: { lines: readonly PayoutLine[]; heading?: 'h2' | 'h3' }): ReactNode {
  const { text, money, day, origin } = usePayoutWords()
  const Heading = props.heading ?? 'h3'
  return (
    <section className={styles['section']}>
      <Heading>{text('payout.page.lines')}</Heading>
      <ul className={styles['list']}>
        {props.lines.map(({ cents, earning }) => (
          <li key={earning.id} className={styles['line']}>
            <div className={styles['what']}>
              <strong>
                {text(`payout.source.${earning.source}`)} · {text(`payout.item.${earning.item}`)}
              </strong>
              <p className={styles['soft']}>
                {day(earning.date)} · {origin(earning)}
              </p>
              {cents < 0 ? <p className={styles['soft']}>{text('payout.page.taken_back')}</p> : null}
            </div>
            <strong className={styles['figure']}>{money(cents)}</strong>
          </li>
        ))}
      </ul>
    </section>
  )
}
