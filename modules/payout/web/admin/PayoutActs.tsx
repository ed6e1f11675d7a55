import { Button } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import type { AdminPayoutWhole } from '../../contract/administration.ts'
import { usePayoutWords } from '../use-words.ts'
import { PayTo } from './PayTo.tsx'
import { SettlePayout, type Asked } from './SettlePayout.tsx'
import styles from '../payout.module.css'

/** What may still become of it. */
const outcomes = { pending: ['success', 'failed'], success: ['returned'], failed: [], returned: [], none: [] } as const

/** S-20: where what is paid by hand is paid to, and what became of it. */
export function PayoutActs(props: { payout: Pick<AdminPayoutWhole, 'id' | 'reference' | 'status' | 'by_hand'> }): ReactNode {
  const { text } = usePayoutWords()
  const [asked, setAsked] = useState<Asked | null>(null)
  const [isShown, setShown] = useState(false)
  const { payout } = props
  const { id, reference } = payout
  if (!payout.by_hand) return null
  return (
    <div className={styles['documents']}>
      {payout.status === 'pending' ? (
        <Button variant="default" aria-label={text('payout.admin.pay_to.of', { reference })} onClick={() => setShown(true)}>
          {text('payout.admin.pay_to')}
        </Button>
      ) : null}
      {outcomes[payout.status].map((outcome) => {
        const act = text(`payout.admin.act.${outcome}`)
        return (
          <Button
            key={outcome}
            variant="default"
            aria-label={text('payout.admin.act.of', { act, reference })}
            onClick={() => setAsked({ outcome, id, reference })}
          >
            {act}
          </Button>
        )
      })}
      <PayTo payout={isShown ? payout : null} onClose={() => setShown(false)} />
      <SettlePayout asked={asked} onClose={() => setAsked(null)} />
    </div>
  )
}
