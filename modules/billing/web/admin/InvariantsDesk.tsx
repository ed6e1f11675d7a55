import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Badge } from '../../../../ui/controls/Badge.tsx'
import { Loaded } from '../../../../ui/controls/ReferencePage.tsx'
import { formatInstant } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { invariantsQuery } from './queries.ts'
import styles from './admin.module.css'

/** What must hold of the books, looked at when the page is opened or asked to look again; with what was asked. */
export function InvariantsDesk(): ReactNode {
  const text = useText()
  const locale = useLocale()
  const read = useQuery(invariantsQuery)
  return (
    <Loaded query={read} loading={text('billing.admin.invariants.loading')} failed={text('billing.admin.failed')}>
      {({ at, invariants }) => (
        <>
          <p role="status">
            {text('billing.admin.invariants.at', {
              at: formatInstant(at, locale),
              count: invariants.length,
              broken: invariants.filter(({ broken }) => broken.length > 0).length,
            })}
          </p>
          <p>
            <Button variant="default" loading={read.isFetching} onClick={() => void read.refetch()}>
              {text('billing.admin.invariants.again')}
            </Button>
          </p>
          <ul className={styles['rows']} aria-label={text('billing.admin.desk.invariants')}>
            {invariants.map(({ name, query, broken, milliseconds }) => (
              <li key={name} className={styles['invariant']}>
                <p>
                  <code>{name}</code>{' '}
                  <Badge tone={broken.length === 0 ? 'good' : 'bad'}>
                    {text(broken.length === 0 ? 'billing.admin.invariants.holds' : 'billing.admin.invariants.broken')}
                  </Badge>{' '}
                  <span className={styles['soft']}>{milliseconds} ms</span>
                </p>
                {broken.length === 0 ? null : (
                  <ul>
                    {broken.map((what) => (
                      <li key={what}>
                        <code>{visible(what)}</code>
                      </li>
                    ))}
                  </ul>
                )}
                <details>
                  <summary>{text('billing.admin.invariants.query')}</summary>
                  <code className={styles['query']}>{query}</code>
                </details>
              </li>
            ))}
          </ul>
        </>
      )}
    </Loaded>
  )
}
