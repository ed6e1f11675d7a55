import { Button } from '@mantine/core'
import { useEffect, useEffectEvent, useMemo, useState, type ReactNode } from 'react'
import { ApiError } from '../api/api-error.ts'
import { useErrorText } from '../intl/error-text.ts'
import { useText } from '../intl/text.tsx'
import { BarStart } from './bar-start.ts'
import { ListPages } from './ListPages.tsx'
import { ListSkeleton } from './ListSkeleton.tsx'
import type { ListKind, Place } from './list-view.ts'
import type { GoToView } from './use-list-view.ts'
import rows from './rows.module.css'

/** As calls of lists answer. */
export type Listed<Row> = {
  readonly count: number
  readonly count_capped: boolean
  readonly next: string | null
  readonly results: readonly Row[]
}

/** How the list is read now: a query of react-query, whose last page stays while the next is read. */
type Reading<Data> = {
  readonly data: Data | undefined
  readonly error: Error | null
  readonly isPlaceholderData: boolean
  readonly refetch: () => Promise<unknown>
}

/**
 * A list of an account: what is looked for, in which order and which page stands in the address; read, empty, unread and found nothing.
 */
export function AccountList<Row, Data extends Listed<Row>, View extends Place<string>>(props: {
  kind: ListKind<View>
  reading: Reading<Data>
  view: View
  /** What is said where nothing is in it. */
  empty: ReactNode
  nothingFound: { readonly title: string; readonly text: string }
  renderHead: (data: Data) => ReactNode
  renderRows: (data: Data, stale: boolean) => ReactNode
  onView: GoToView<View>
}): ReactNode {
  const text = useText()
  const { kind, reading, view } = props
  const goTo = (change: Partial<Place<string>>, how: Parameters<GoToView<View>>[1]) => props.onView(change as Partial<View>, how)
  const all = () => props.onView(kind.plainView)
  const { data } = reading
  // Where what is looked for now could not be read, its head stays: somebody may be typing in it.
  const [last, setLast] = useState(data)
  if (data !== undefined && data !== last) setLast(data)
  const [place, setPlace] = useState<HTMLElement | null>(null)
  const bar = useMemo(() => ({ place, set: setPlace }), [place])
  // Rows that went away may have been the last of the last page.
  const beyond = data !== undefined && !reading.isPlaceholderData && data.results.length === 0 && view.page > 1
  const lastPage = Math.max(1, Math.ceil((data?.count ?? 0) / view.size))
  const toLast = useEffectEvent(() => goTo({ page: lastPage }, { on: true }))
  useEffect(() => {
    if (beyond) toLast()
  }, [beyond])
  const unread =
    reading.error === null ? null : (
      <Unread error={reading.error} plain={kind.isPlain(view)} onAll={all} onAgain={() => void reading.refetch()} />
    )
  const known = data ?? last
  if (known === undefined) return unread ?? <ListSkeleton />
  if (data === undefined)
    return (
      <BarStart value={bar}>
        {props.renderHead(known)}
        {unread ?? <ListSkeleton />}
      </BarStart>
    )
  if (data.count === 0 && !kind.isNarrowed(view)) return props.empty
  return (
    <BarStart value={bar}>
      {props.renderHead(data)}
      {unread}
      {data.results.length === 0 ? (
        <div className={rows['empty']} role="status">
          <h2>{props.nothingFound.title}</h2>
          <p>{props.nothingFound.text}</p>
          <p>
            <Button variant="default" size="md" onClick={all}>
              {text('ui.list.search.all')}
            </Button>
          </p>
        </div>
      ) : (
        props.renderRows(data, reading.isPlaceholderData)
      )}
      <ListPages
        page={view.page}
        size={view.size}
        pages={data.count_capped ? null : lastPage}
        next={data.next !== null}
        onPage={(page) => goTo({ page }, { top: true })}
        onSize={(size) => goTo({ size }, { top: true })}
      />
    </BarStart>
  )
}

/** the list could not be read, and what can be done about it. */
function Unread(props: { error: Error; plain: boolean; onAll: () => void; onAgain: () => void }): ReactNode {
  const text = useText()
  const errorText = useErrorText()
  const { error } = props
  // Refused for what was asked: to ask the same again is of no use.
  const refused = !props.plain && error instanceof ApiError && error.status >= 400 && error.status < 500
  return (
    <div className={rows['empty']} role="alert">
      <p>
        {text('ui.list.failed')} {errorText(error)}
      </p>
      <p>
        <Button variant="default" size="md" onClick={refused ? props.onAll : props.onAgain}>
          {text(refused ? 'ui.list.search.all' : 'ui.retry')}
        </Button>
      </p>
    </div>
  )
}
