import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Loaded } from '../../../../ui/controls/ReferencePage.tsx'
import { useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import type { SpendingOutlook } from '../../contract/spending.ts'
import { useMoney } from '../components/use-money.ts'
import { outlookQuery } from '../spending/outlook-query.ts'
import { Used } from './Used.tsx'
import { useFormulaWords } from './formula-words.ts'
import account from '../components/billing.module.css'
import styles from './subscription.module.css'

/** H-23: a member of a group works on the plan of its owner; what that includes, what he may spend beyond it, and whom to ask for more. */
export function GroupPlan(props: { group: string }): ReactNode {
  const text = useText()
  const evidences = useQuery(outlookQuery('evidence', 1))
  const documents = useQuery({ ...outlookQuery('document', 1), enabled: evidences.data !== undefined })
  return (
    <Loaded query={evidences} loading={text('ui.loading')} failed={text('billing.subscription.failed')}>
      {(outlook) => <Plan group={props.group} evidences={outlook} documents={documents.data ?? null} />}
    </Loaded>
  )
}

function Plan(props: { group: string; evidences: SpendingOutlook; documents: SpendingOutlook | null }): ReactNode {
  const text = useText()
  const words = useFormulaWords()
  const { money, day } = useMoney()
  const { evidences, documents } = props
  const { quota, ceiling, plan } = evidences
  const owner = visible(evidences.owner ?? '')
  const stamps = documents?.quota ?? null
  return (
    <section className={account['card']} aria-labelledby="current-plan">
      <h2 id="current-plan">{text('billing.group.plan', { plan: words.plan({ plan }), group: props.group })}</h2>
      <p>{text(plan === 'unit' ? 'billing.group.unit' : 'billing.group.covers', { owner })}</p>
      {quota === null ? null : (
        <div className={styles['quota']}>
          <h3>{text('billing.group.quota', { day: day(quota.renewed_on) })}</h3>
          <Used label={text('billing.quota.evidences')} {...quota} />
          {stamps === null ? null : <Used label={text('billing.quota.documents')} {...stamps} />}
        </div>
      )}
      {ceiling === null ? null : (
        <p>
          {ceiling.ceiling_cents === 0
            ? text('billing.cost.ceiling_none', { owner })
            : text('billing.cost.ceiling', {
                left: money(Math.max(0, ceiling.ceiling_cents - ceiling.spent_cents)),
                ceiling: money(ceiling.ceiling_cents),
                owner,
              })}
        </p>
      )}
      <p className={account['soft']}>{text('billing.group.more', { owner })}</p>
    </section>
  )
}
