import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Loaded } from '../../../../ui/controls/ReferencePage.tsx'
import { LabelledSelect } from '../../../../ui/forms/LabelledSelect.tsx'
import { formatInstant } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { Pager } from '../../../../ui/list/Pager.tsx'
import { SearchField } from '../../../../ui/list/SearchField.tsx'
import { NotFoundPage } from '../../../../ui/shell/ErrorPages.tsx'
import { requestStatuses } from '../../domain/request.ts'
import { StatusBadge } from '../components/StatusBadge.tsx'
import { isNotFound, queueQuery } from '../queries.ts'
import styles from '../support.module.css'

const pageSize = 20
const filters = [...requestStatuses, 'any'] as const

/** What of the queue is looked at: it stands in the address. */
function useQueueSearch() {
  const given: Readonly<Record<string, unknown>> = useSearch({ strict: false })
  const search = given['search']
  return {
    status: filters.find((each) => each === given['status']) ?? 'open',
    search: typeof search === 'string' || typeof search === 'number' ? String(search).slice(0, 200) : '',
    page: Math.min(100_000, Math.max(1, Math.trunc(Number(given['page'] ?? 1)) || 1)),
  } as const
}

/** H-20, L-19: who waits for an answer, the longest waiting first. */
export function QueuePage(): ReactNode {
  const text = useText()
  const locale = useLocale()
  const navigate = useNavigate()
  const asked = useQueueSearch()
  const query = useQuery({
    ...queueQuery({ status: asked.status, page: asked.page, ...(asked.search === '' ? {} : { search: asked.search }) }),
    placeholderData: keepPreviousData,
  })
  const go = (next: Partial<typeof asked>, replace = false) => {
    const { status, search, page } = { ...asked, page: 1, ...next }
    void navigate({
      to: '/$locale/admin/$/',
      params: { locale, _splat: 'support' },
      search: {
        ...(status === 'open' ? {} : { status }),
        ...(search === '' ? {} : { search }),
        ...(page === 1 ? {} : { page }),
      },
      replace,
    })
  }
  if (isNotFound(query.error)) return <NotFoundPage />
  return (
    <div className={styles['page']}>
      <h1>{text('support.page.queue.heading')}</h1>
      <div className={styles['filters']}>
        <LabelledSelect
          label={text('support.page.queue.status')}
          value={asked.status}
          options={filters.map((each) => [each, text(each === 'any' ? 'support.page.queue.any' : `support.page.status.${each}`)])}
          onChoose={(value) => go({ status: filters.find((each) => each === value) ?? 'open' })}
        />
        <SearchField
          label={text('support.page.queue.search')}
          search={asked.search}
          onSearch={(search, on) => go({ search }, on)}
        />
      </div>
      <Loaded query={query} loading={text('ui.loading')} failed={text('support.page.queue.failed')}>
        {({ count, results }) => {
          const pages = Math.max(1, Math.ceil(count / pageSize))
          const none =
            asked.status === 'open' && asked.search === '' ? 'support.page.queue.none' : 'support.page.queue.none_found'
          return (
            <>
              <p className={styles['soft']} role="status">
                {count === 0 ? text(none) : text('support.page.queue.count', { count })}
              </p>
              <ul className={styles['rows']} aria-busy={query.isPlaceholderData}>
                {results.map((each) => (
                  <li key={each.id}>
                    <div>
                      <Link to="/$locale/admin/$/" params={{ locale, _splat: `support/${each.id}` }} preload={false}>
                        {visible(each.title)}
                      </Link>
                      <p>{text('support.page.queue.by', { name: visible(each.name), email: visible(each.email) })}</p>
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
                page={asked.page}
                pages={pages}
                words={{
                  label: text('support.page.pages'),
                  previous: text('support.page.previous'),
                  next: text('support.page.next'),
                  place: text('support.page.place', { page: asked.page, pages }),
                }}
                onPage={(page) => go({ page })}
              />
            </>
          )
        }}
      </Loaded>
    </div>
  )
}
