import { Button } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef, type ReactNode } from 'react'
import { ApiError } from '../../../../ui/api/api-error.ts'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { ListPages } from '../../../../ui/list/ListPages.tsx'
import { ListSkeleton } from '../../../../ui/list/ListSkeleton.tsx'
import { mostSelected, useSelection } from '../../../../ui/list/use-selection.ts'
import styles from '../../../../ui/list/list.module.css'
import rowStyles from '../../../../ui/list/rows.module.css'
import { notify } from '../../../../ui/shell/notify.ts'
import type { Document } from '../../contract/document.ts'
import type { Category } from '../../domain/status.ts'
import { useDocumentName } from '../document-name.ts'
import { useDocumentList, useHiddenNames, useMayManage } from '../queries.ts'
import { DocumentRow } from './DocumentRow.tsx'
import { HiddenNames } from './HiddenNames.tsx'
import { ListHead } from './ListHead.tsx'
import { addressOfView, isNarrowed, pageSizes, plainView, readView, type ListView } from './list-view.ts'
import { changesOf } from './row-changes.ts'
import { SelectionBar } from './SelectionBar.tsx'

export const listAddresses = {
  pending: '/$locale/documents/pending/',
  completed: '/$locale/documents/completed/',
  trash: '/$locale/documents/trash/',
} as const

/** C-13: the deposits that the account reaches. What is looked for, in which order, and which page, stands in the address. */
export function AccountDocuments(props: { category: Category; userId: string }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const navigate = useNavigate()
  const { category } = props
  const view = readView(useSearch({ strict: false }))
  const list = useDocumentList(category, view)
  const go = (change: Partial<ListView>, { on = false, top = false } = {}) =>
    void navigate({
      to: listAddresses[category],
      params: { locale },
      // What is listed otherwise begins at its first page.
      search: addressOfView({ ...view, page: 1, ...change }),
      replace: on,
      resetScroll: top,
    })
  const { data } = list
  // Rows that went away may have been the last of the last page.
  const beyond = data !== undefined && !list.isPlaceholderData && data.results.length === 0 && view.page > 1
  const lastPage = Math.max(1, Math.ceil((data?.count ?? 0) / view.size))
  const toLast = useEffectEvent(() => go({ page: lastPage }, { on: true }))
  useEffect(() => {
    if (beyond) toLast()
  }, [beyond])
  const unread = list.isError ? (
    <Unread error={list.error} narrowed={isNarrowed(view)} onPlain={() => go(plainView)} onAgain={() => void list.refetch()} />
  ) : null
  if (data === undefined) return unread ?? <ListSkeleton />
  if (data.count === 0 && !isNarrowed(view))
    return (
      <div className={rowStyles['empty']}>
        <h2>{text(`document.empty.${category}`)}</h2>
        <p>{text(`document.empty.${category}.text`)}</p>
      </div>
    )
  const pages = data.count_capped ? null : lastPage
  return (
    <>
      <ListHead category={category} view={view} onView={(change, on) => go(change, { on })} />
      {unread}
      {data.results.length === 0 ? (
        <div className={rowStyles['empty']} role="status">
          <h2>{text('document.empty.found')}</h2>
          <p>{text('document.empty.found.text')}</p>
          <p>
            <Button variant="default" size="md" onClick={() => go(plainView)}>
              {text('document.search.all')}
            </Button>
          </p>
        </div>
      ) : (
        <Rows {...props} view={view} data={data} stale={list.isPlaceholderData} />
      )}
      <ListPages
        page={view.page}
        size={view.size}
        sizes={pageSizes}
        next={data.next !== null}
        words={{
          label: text('document.pages'),
          previous: text('document.previous'),
          next: text('document.next'),
          size: text('document.size'),
          here:
            pages === null
              ? text('document.page.of_more', { page: view.page })
              : text('document.page', { page: view.page, pages }),
        }}
        onPage={(page) => go({ page }, { top: true })}
        onSize={(size) => go({ size }, { top: true })}
      />
    </>
  )
}

/** the list could not be read, and what can be done about it. */
function Unread(props: { error: Error; narrowed: boolean; onPlain: () => void; onAgain: () => void }): ReactNode {
  const text = useText()
  const errorText = useErrorText()
  const { error } = props
  // Refused for what was asked: to ask the same again is of no use.
  const refused = props.narrowed && error instanceof ApiError && error.status >= 400 && error.status < 500
  return (
    <div className={rowStyles['empty']} role="alert">
      <p>
        {text('document.list.failed')} {errorText(error)}
      </p>
      <p>
        <Button variant="default" size="md" onClick={refused ? props.onPlain : props.onAgain}>
          {text(refused ? 'document.search.all' : 'ui.retry')}
        </Button>
      </p>
    </div>
  )
}

type Data = NonNullable<ReturnType<typeof useDocumentList>['data']>

function Rows(props: { category: Category; userId: string; view: ListView; data: Data; stale: boolean }): ReactNode {
  const text = useText()
  const nameOf = useDocumentName()
  const { category, view, data } = props
  const manage = useMayManage()
  const hidden = useHiddenNames(props.userId, data.results)
  const selectable = data.results.filter((each) => changesOf(each, category, manage).length > 0)
  const listed = JSON.stringify([
    category,
    addressOfView({ ...view, page: 1, ordering: plainView.ordering, size: plainView.size }),
  ])
  const selection = useSelection<Document>(listed, selectable, () =>
    notify('info', text('document.select.most', { most: mostSelected }), text('ui.notice.dismiss'), 'list-selection'),
  )
  const head = useRef<HTMLParagraphElement>(null)
  // A row that goes takes the focus with it.
  const onDone = () => head.current?.focus({ preventScroll: true })
  const all = selectable.length > 0 && selectable.every(({ id }) => selection.rows.has(id))
  const some = selectable.some(({ id }) => selection.rows.has(id))
  return (
    <>
      <div className={styles['listHead']}>
        {selectable.length === 0 ? null : (
          <label className={styles['check']}>
            <input
              type="checkbox"
              checked={all}
              ref={(box) => {
                if (box !== null) box.indeterminate = some && !all
              }}
              onChange={() => (all ? selection.remove(selectable) : selection.add(selectable))}
            />
            <span>{text('document.select.page')}</span>
          </label>
        )}
        <p ref={head} tabIndex={-1} role="status" className={rowStyles['soft']}>
          {text(data.count_capped ? 'document.count.more' : 'document.count', { count: data.count })}
        </p>
      </div>
      {hidden.size === 0 ? null : <HiddenNames user={props.userId} />}
      <ul className={rowStyles['list']} aria-busy={props.stale}>
        {data.results.map((document) => (
          <DocumentRow
            key={document.id}
            document={document}
            category={category}
            userId={props.userId}
            hiddenName={hidden.get(document.id)}
            manage={manage}
            selected={selection.rows.has(document.id)}
            check={
              <RowCheck
                name={nameOf(document, hidden.get(document.id))}
                disabled={!selectable.includes(document)}
                checked={selection.rows.has(document.id)}
                onToggle={(on, range) => selection.toggle(document, on, range)}
              />
            }
            onDone={onDone}
          />
        ))}
      </ul>
      {selection.rows.size === 0 ? null : <SelectionBar category={category} selection={selection} onDone={onDone} />}
    </>
  )
}

function RowCheck(props: {
  name: string
  checked: boolean
  disabled: boolean
  onToggle: (on: boolean, range: boolean) => void
}): ReactNode {
  const text = useText()
  const range = useRef(false)
  return (
    <label className={styles['check']}>
      <input
        type="checkbox"
        checked={props.checked}
        disabled={props.disabled}
        // With the pointer or the space bar: the click comes before the change, and tells of the shift key.
        onClick={(event) => {
          range.current = event.shiftKey
        }}
        onChange={(event) => props.onToggle(event.currentTarget.checked, range.current)}
      />
      <span className="visually-hidden">{text('document.select', { what: props.name })}</span>
    </label>
  )
}
