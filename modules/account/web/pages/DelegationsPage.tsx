import { useQuery } from '@tanstack/react-query'
import { useState, type ComponentType, type ReactNode } from 'react'
import { Loaded } from '../../../../ui/controls/ReferencePage.tsx'
import { useText } from '../../../../ui/intl/text.tsx'
import { DelegationRow } from '../components/DelegationRow.tsx'
import { GrantAccess } from '../components/GrantAccess.tsx'
import { Pages } from '../components/Pages.tsx'
import { delegationsQuery, usualPage } from '../queries.ts'
import styles from '../account-pages.module.css'

/**
 * E-50, P-09, H-22: who may act in this account, and in whose account one may act.
 * @param props.Spending what somebody may spend, where something is paid for
 */
export function DelegationsPage(props: { Spending?: ComponentType<{ id: string }> }): ReactNode {
  const text = useText()
  return (
    <>
      <section className={styles['section']}>
        <h2>{text('account.page.delegations.received')}</h2>
        <p className={styles['soft']}>{text('account.page.delegations.received.lead')}</p>
        <List direction="received" Spending={undefined} />
      </section>
      <section className={styles['section']}>
        <h2>{text('account.page.delegations.granted')}</h2>
        <p className={styles['soft']}>{text('account.page.delegations.granted.lead')}</p>
        <List direction="granted" Spending={props.Spending} />
        <GrantAccess />
      </section>
    </>
  )
}

function List(props: { direction: 'granted' | 'received'; Spending: ComponentType<{ id: string }> | undefined }): ReactNode {
  const text = useText()
  const [page, setPage] = useState(1)
  const list = useQuery(delegationsQuery(props.direction, page))
  return (
    <Loaded query={list} loading={text('ui.loading')} failed={text('account.page.delegations.failed')}>
      {({ count, results }) =>
        count === 0 ? (
          <p>{text(`account.page.delegations.${props.direction}.none`)}</p>
        ) : (
          <>
            <ul className={styles['list']}>
              {results.map((each) => (
                <DelegationRow key={each.id} delegation={each} Spending={props.Spending} />
              ))}
            </ul>
            <Pages count={count} size={usualPage} page={page} onPage={setPage} />
          </>
        )
      }
    </Loaded>
  )
}
