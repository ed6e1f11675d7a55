import { Button } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useRef, useState, type ReactNode } from 'react'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { useText } from '../../../../ui/intl/text.tsx'
import { Pager } from '../../../../ui/list/Pager.tsx'
import { NotFoundPage } from '../../../../ui/shell/ErrorPages.tsx'
import { KeysDialog } from '../components/KeysDialog.tsx'
import { QueueFilters } from '../components/QueueFilters.tsx'
import { QueueRow } from '../components/QueueRow.tsx'
import { currentUserQuery } from '../../../account/web/index.ts'
import { isNotFound, usersQuery } from '../queries.ts'
import { askedOf, pageSize, useGoToQueue, useQueueSearch } from '../queue-search.ts'
import { useOpenFile } from '../use-open-file.ts'
import { useShortcuts } from '../use-shortcuts.ts'
import styles from '../users.module.css'

/** R-08, P-14, H-20: who waits for a reviewer, the longest waiting first; and any user, by filters that stand in the address. */
export function UsersPage(): ReactNode {
  const text = useText()
  const errorText = useErrorText()
  const search = useQueueSearch()
  const go = useGoToQueue()
  const { data: me } = useQuery(currentUserQuery)
  const list = useQuery({ ...usersQuery(askedOf(search)), placeholderData: keepPreviousData })
  const opening = useOpenFile()
  const rows = useRef<HTMLUListElement>(null)
  const [keys, setKeys] = useState(false)
  const step = (by: number) => {
    const links = [...(rows.current?.querySelectorAll<HTMLElement>('[data-open]') ?? [])]
    const at = links.indexOf(document.activeElement as HTMLElement)
    links[at === -1 ? (by > 0 ? 0 : links.length - 1) : Math.min(links.length - 1, Math.max(0, at + by))]?.focus()
  }
  const pages = Math.max(1, Math.ceil((list.data?.count ?? 0) / pageSize))
  const turn = (by: number) => {
    const page = search.page + by
    if (page >= 1 && page <= pages) go({ ...search, page })
  }
  useShortcuts({
    j: () => step(1),
    k: () => step(-1),
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    ']': () => turn(1),
    '[': () => turn(-1),
    '/': () => document.querySelector<HTMLElement>('input[type=search]')?.focus(),
    Escape: () => {
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    },
    '?': () => setKeys(true),
  })
  if (list.isError && isNotFound(list.error)) return <NotFoundPage />
  return (
    <div className={styles['page']}>
      <header className={styles['head']}>
        <div>
          <h1>{text('ui.page.users')}</h1>
          <Counts />
        </div>
        <Button variant="default" aria-keyshortcuts="?" onClick={() => setKeys(true)}>
          {text('review.page.keys')}
        </Button>
      </header>
      <QueueFilters search={search} onChange={go} />
      {list.data === undefined ? (
        list.isError ? (
          <div role="alert">
            <p>
              {text('review.page.queue.failed')} {errorText(list.error)}
            </p>
            <Button variant="default" onClick={() => void list.refetch()}>
              {text('ui.retry')}
            </Button>
          </div>
        ) : (
          <p role="status">{text('ui.loading')}</p>
        )
      ) : (
        <>
          <p className={styles['soft']} role="status">
            {text('review.page.queue.count', { count: list.data.count })}
          </p>
          {list.data.results.length === 0 ? (
            <div className={styles['empty']}>
              <p>{text(search.state === 'pending' ? 'review.page.queue.none_waits' : 'review.page.queue.none')}</p>
            </div>
          ) : (
            <ul ref={rows} className={styles['rows']} aria-busy={list.isPlaceholderData} aria-label={text('ui.page.users')}>
              {list.data.results.map((entry) => (
                <QueueRow
                  key={entry.id}
                  entry={entry}
                  own={entry.id === me?.id}
                  busy={opening.busy === entry.id}
                  onOpen={() => void opening.open(entry)}
                />
              ))}
            </ul>
          )}
          {pages === 1 ? null : (
            <Pager
              page={search.page}
              pages={pages}
              words={{
                label: text('review.page.queue.pages'),
                previous: text('review.page.queue.previous'),
                next: text('review.page.queue.next'),
                place: text('review.page.queue.page', { page: search.page, pages }),
              }}
              keys={{ previous: '[', next: ']' }}
              onPage={(page) => go({ ...search, page })}
            />
          )}
        </>
      )}
      <KeysDialog open={keys} onClose={() => setKeys(false)} />
    </div>
  )
}

/** How many wait in all, and how many of them one holds: whatever is filtered below. */
function Counts(): ReactNode {
  const text = useText()
  const waiting = useQuery(usersQuery({ state: 'pending', page_size: 1 }))
  const own = useQuery(usersQuery({ state: 'pending', claimed: 'own', page_size: 1 }))
  if (waiting.data === undefined || own.data === undefined) return null
  return (
    <p className={styles['soft']}>{text('review.page.queue.counts', { waiting: waiting.data.count, own: own.data.count })}</p>
  )
}
