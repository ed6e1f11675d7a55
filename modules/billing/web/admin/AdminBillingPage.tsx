import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { TabLinks } from '../../../../ui/controls/TabStrip.tsx'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { NotFoundPage } from '../../../../ui/shell/ErrorPages.tsx'
import { plansQuery } from '../components/plans-query.ts'
import { CustomerDesk } from './CustomerDesk.tsx'
import { CustomersDesk } from './CustomersDesk.tsx'
import { FailedDesk } from './FailedDesk.tsx'
import { InvariantsDesk } from './InvariantsDesk.tsx'
import { InvoicesDesk } from './InvoicesDesk.tsx'
import { PlansDesk } from './PlansDesk.tsx'
import { isNotFound, planLinesQuery } from './queries.ts'
import money from '../components/billing.module.css'
import styles from './admin.module.css'

const desks = ['customers', 'invoices', 'failed', 'plans', 'invariants'] as const

/** H-20: what administrators see and do of what is paid; where nothing is, there is no such page. */
export function AdminBillingPage(props: { desk: string | undefined; id: string | undefined }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const plans = useQuery(planLinesQuery)
  const prices = useQuery(plansQuery)
  const { desk = 'customers', id } = props
  if (isNotFound(plans.error)) return <NotFoundPage />
  return (
    <div className={styles['page']}>
      <h1>{text('ui.page.billing')}</h1>
      <TabLinks label={text('ui.page.billing')}>
        {desks.map((each) => (
          <Link
            key={each}
            to="/$locale/admin/$/"
            params={{ locale, _splat: `billing/${each}` }}
            preload={false}
            aria-current={each === desk ? 'page' : undefined}
          >
            {text(`billing.admin.desk.${each}`)}
          </Link>
        ))}
      </TabLinks>
      {prices.data?.test === true ? <p className={money['test']}>{text('billing.admin.test')}</p> : null}
      {desk === 'customers' ? id === undefined ? <CustomersDesk /> : <CustomerDesk key={id} id={id} /> : null}
      {desk === 'invoices' ? <InvoicesDesk /> : null}
      {desk === 'failed' ? <FailedDesk /> : null}
      {desk === 'plans' ? <PlansDesk /> : null}
      {desk === 'invariants' ? <InvariantsDesk /> : null}
    </div>
  )
}
