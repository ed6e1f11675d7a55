import { Link } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { Loaded } from '../../../../ui/controls/ReferencePage.tsx'
import { formatInstant } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { Pager } from '../../../../ui/list/Pager.tsx'
import { boxQuery } from '../queries.ts'
import styles from '../support.module.css'
import { StatusBadge } from './StatusBadge.tsx'

const pageSize = 20

/** One's own requests, the last that something was said of first. */
export function RequestBox(): ReactNode {
  const text = useText()
  const locale = useLocale()
  const [page, setPage] = useState(1)
  const query = useQuery(boxQuery(page))
  return (
    <section className={styles['box']} aria-labelledby="support-box">
      <h2 id="support-box">{text('support.page.box')}</h2>
      <Loaded query={query} loading={text('ui.loading')} failed={text('support.page.box_failed')}>
        {({ count, results }) => {
          const pages = Math.max(1, Math.ceil(count / pageSize))
          if (count === 0) return <p className={styles['soft']}>{text('support.page.box_empty')}</p>
          return (
            <>
              <ul className={styles['rows']}>
                {results.map((each) => (
                  <li key={each.id}>
                    <div>
                      <Link to="/$locale/support/$/" params={{ locale, _splat: `requests/${each.id}` }}>
                        {visible(each.title)}
                      </Link>
                      <p className={styles['soft']}>
                        {text('support.page.reference', { reference: each.reference })} ·{' '}
                        {text('support.page.changed', { at: formatInstant(each.changed_at, locale) })}
                      </p>
                    </div>
                    <StatusBadge status={each.status} />
                  </li>
                ))}
              </ul>
              <Pager
                page={page}
                pages={pages}
                words={{
                  label: text('support.page.pages'),
                  previous: text('support.page.previous'),
                  next: text('support.page.next'),
                  place: text('support.page.place', { page, pages }),
                }}
                onPage={setPage}
              />
            </>
          )
        }}
      </Loaded>
    </section>
  )
}
