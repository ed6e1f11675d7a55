import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { Badge } from '../../../../ui/controls/Badge.tsx'
import { Loaded } from '../../../../ui/controls/ReferencePage.tsx'
import { formatDay } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import type { PlanTermsOnTheWire } from '../../contract/plans.ts'
import { ChangeTerms } from './ChangeTerms.tsx'
import { planLinesQuery } from './queries.ts'
import { TermsFacts } from './TermsFacts.tsx'
import styles from './admin.module.css'

/** H-35: what plans cost, cost before and will cost; the command line says the same. */
export function PlansDesk(): ReactNode {
  const text = useText()
  const locale = useLocale()
  const plans = useQuery(planLinesQuery)
  const [changing, setChanging] = useState<PlanTermsOnTheWire | null>(null)
  const plan = changing?.plan
  return (
    <Loaded query={plans} loading={text('ui.loading')} failed={text('billing.admin.failed')}>
      {({ lines }) => (
        <>
          <p className={styles['soft']}>{text('billing.admin.plans.lead')}</p>
          <ul className={styles['rows']} aria-label={text('billing.admin.desk.plans')}>
            {lines.map((line, i) => (
              <li key={i} className={styles['invariant']}>
                <p>
                  <strong>{text(`billing.admin.plan.${line.plan}`)}</strong> –{' '}
                  {text('billing.admin.from', { day: formatDay(line.effective_from, locale) })}{' '}
                  {line.in_force ? <Badge tone="good">{text('billing.admin.in_force')}</Badge> : null}
                </p>
                <TermsFacts terms={line} />
                {line.in_force && line.plan !== 'custom' ? (
                  <p>
                    <Button
                      variant="default"
                      aria-label={`${text('billing.admin.change_plan')} – ${text(`billing.admin.plan.${line.plan}`)}`}
                      onClick={() => setChanging(line)}
                    >
                      {text('billing.admin.change_plan')}
                    </Button>
                  </p>
                ) : null}
              </li>
            ))}
          </ul>
          <ChangeTerms
            open={changing !== null}
            of={plan === undefined || plan === 'custom' ? null : { plan }}
            terms={changing}
            onClose={() => setChanging(null)}
          />
        </>
      )}
    </Loaded>
  )
}
