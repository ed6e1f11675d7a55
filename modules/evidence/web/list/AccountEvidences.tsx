import { Button } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef, type ReactNode } from 'react'
import { ApiError } from '../../../../ui/api/api-error.ts'
import { useSession } from '../../../../ui/api/session.ts'
import { formatInstant } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { notify } from '../../../../ui/shell/notify.ts'
import type { Evidence } from '../../contract/evidence.ts'
import { trashLifetimeMs } from '../../domain/status.ts'
import { EvidenceRow } from '../components/EvidenceRow.tsx'
import { NoEvidence } from '../components/NoEvidence.tsx'
import { useErrorText } from '../error-text.ts'
import pageStyles from '../../../../ui/list/rows.module.css'
import { LabelEditor } from './LabelEditor.tsx'
import { ListHead } from './ListHead.tsx'
import { ListPages } from './ListPages.tsx'
import { ListSkeleton } from '../../../../ui/list/ListSkeleton.tsx'
import { addressOfView, isNarrowed, isPlain, plainView, readView, type Category, type ListView } from './list-view.ts'
import { useEvidenceList, useMayManage } from './queries.ts'
import { RowActions } from './RowActions.tsx'
import { actionsOf } from './row-changes.ts'
import { SelectionBar } from './SelectionBar.tsx'
import { mostSelected, useSelection } from '../../../../ui/list/use-selection.ts'
import styles from '../../../../ui/list/list.module.css'

const addresses = {
  draft: '/$locale/evidences/pending/',
  completed: '/$locale/evidences/completed/',
  trash: '/$locale/evidences/trash/',
} as const
const empty = {
  draft: 'evidence.list.empty.pending',
  completed: 'evidence.list.empty.completed',
  trash: 'evidence.account.empty.trash',
} as const

/** C-24: what the account reaches. What is looked for, in which order, and which page, stands in the address. */
export function AccountEvidences(props: { category: Category; userId: string }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const navigate = useNavigate()
  const { category } = props
  const view = readView(useSearch({ strict: false }))
  const list = useEvidenceList(category, view)
  const go = (change: Partial<ListView>, { on = false, top = false } = {}) =>
    void navigate({
      to: addresses[category],
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

  if (data === undefined)
    return list.isError ? (
      <Unread error={list.error} plain={isPlain(view)} onPlain={() => go(plainView)} onAgain={() => void list.refetch()} />
    ) : (
      <ListSkeleton />
    )
  if (data.count === 0 && !isNarrowed(view))
    return category === 'trash' ? (
      <div className={pageStyles['empty']}>
        <h2>{text(empty.trash)}</h2>
        <p>{text('evidence.account.empty.trash.text')}</p>
      </div>
    ) : (
      <NoEvidence title={text(empty[category])} />
    )
  return (
    <>
      <p className={pageStyles['soft']}>{text(category === 'trash' ? 'evidence.account.trash.lead' : 'evidence.account.lead')}</p>
      <ListHead category={category} view={view} sortable={data.sortable} onView={(change, on) => go(change, { on })} />
      {list.isError ? (
        <Unread error={list.error} plain={isPlain(view)} onPlain={() => go(plainView)} onAgain={() => void list.refetch()} />
      ) : null}
      {data.results.length === 0 ? (
        <div className={pageStyles['empty']} role="status">
          <h2>{text('evidence.account.empty.found')}</h2>
          <p>{text('evidence.account.empty.found.text')}</p>
          <p>
            <Button variant="default" size="md" onClick={() => go(plainView)}>
              {text('evidence.account.search.all')}
            </Button>
          </p>
        </div>
      ) : (
        <Rows {...props} view={view} data={data} stale={list.isPlaceholderData} />
      )}
      <ListPages
        view={view}
        pages={data.count_capped ? null : lastPage}
        next={data.next !== null}
        onPage={(page) => go({ page }, { top: true })}
        onSize={(size) => go({ size }, { top: true })}
      />
    </>
  )
}

/** the list could not be read, and what can be done about it. */
function Unread(props: { error: Error; plain: boolean; onPlain: () => void; onAgain: () => void }): ReactNode {
  const text = useText()
  const errorText = useErrorText()
  const { error } = props
  // Refused for what was asked: to ask the same again is of no use.
  const refused = !props.plain && error instanceof ApiError && error.status >= 400 && error.status < 500
  return (
    <div className={pageStyles['empty']} role="alert">
      <p>
        {text('evidence.account.failed')} {errorText(error)}
      </p>
      <p>
        <Button variant="default" size="md" onClick={refused ? props.onPlain : props.onAgain}>
          {text(refused ? 'evidence.account.search.all' : 'ui.retry')}
        </Button>
      </p>
    </div>
  )
}

type Data = NonNullable<ReturnType<typeof useEvidenceList>['data']>

function Rows(props: { category: Category; userId: string; view: ListView; data: Data; stale: boolean }): ReactNode {
  const text = useText()
  const { category, view, data } = props
  const manage = useMayManage()
  const selectable = data.results.filter((each) => actionsOf(each, category, manage).length > 0)
  const listed = JSON.stringify(addressOfView({ ...view, page: 1, ordering: plainView.ordering, size: plainView.size }))
  const selection = useSelection(listed, selectable, () =>
    notify('info', text('evidence.account.select.most', { most: mostSelected }), text('ui.notice.dismiss'), 'list-selection'),
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
            <span>{text('evidence.account.select.page')}</span>
          </label>
        )}
        <p ref={head} tabIndex={-1} role="status" className={pageStyles['soft']}>
          {data.count_capped
            ? text('evidence.account.count.more', { count: data.count })
            : text('evidence.account.count', { count: data.count })}
        </p>
      </div>
      <ul className={pageStyles['list']} aria-busy={props.stale}>
        {data.results.map((evidence) => (
          <EvidenceRow
            key={evidence.id}
            held={evidence}
            evidence={evidence}
            failed={false}
            selected={selection.rows.has(evidence.id)}
            check={
              selectable.length === 0 ? undefined : (
                <RowCheck
                  evidence={evidence}
                  disabled={!selectable.includes(evidence)}
                  checked={selection.rows.has(evidence.id)}
                  onToggle={(on, range) => selection.toggle(evidence, on, range)}
                />
              )
            }
            more={<More evidence={evidence} userId={props.userId} view={view} />}
            label={<LabelEditor evidence={evidence} manage={manage} />}
            action={<RowActions evidence={evidence} category={category} manage={manage} onDone={onDone} />}
          />
        ))}
      </ul>
      {selection.rows.size === 0 ? null : (
        <SelectionBar
          category={category}
          view={view}
          manage={manage}
          selection={selection}
          count={data.count_capped ? null : data.count}
          onDone={onDone}
        />
      )}
    </>
  )
}

function RowCheck(props: {
  evidence: Evidence
  checked: boolean
  disabled: boolean
  onToggle: (on: boolean, range: boolean) => void
}): ReactNode {
  const text = useText()
  const range = useRef(false)
  const { evidence } = props
  const title = evidence.preview?.title ?? ''
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
      <span className="visually-hidden">
        {text('evidence.account.select', { what: visible(title === '' ? evidence.page_url : title) })}
      </span>
    </label>
  )
}

/** H-22, H-23: of a group, or in somebody’s name, more than one’s own is listed; and what becomes of what is in the trash. */
function More(props: { evidence: Evidence; userId: string; view: ListView }): ReactNode {
  const text = useText()
  // Who acts for somebody sees that one’s alone.
  const acting = (useSession()?.delegation ?? null) !== null
  const locale = useLocale()
  const { owner, created_by: maker, captured_at: captured, trashed_at: trashed, content_deleted_at: deleted } = props.evidence
  const until = trashed === null ? null : new Date(Date.parse(trashed) + trashLifetimeMs)
  return (
    <>
      {captured === null || !props.view.ordering.endsWith('captured_at') ? null : (
        <> · {text('evidence.account.captured', { date: formatInstant(captured, locale) })}</>
      )}
      {owner === null || acting || owner.id === props.userId ? null : (
        <> · {text('evidence.account.owner', { name: visible(owner.name) })}</>
      )}
      {maker === null || maker.id === (owner?.id ?? props.userId) ? null : (
        <> · {text('evidence.account.by', { name: visible(maker.name) })}</>
      )}
      {deleted !== null ? (
        <> · {text('evidence.account.deleted', { date: formatInstant(deleted, locale) })}</>
      ) : until !== null ? (
        <> · {text('evidence.account.deleted_on', { date: formatInstant(until, locale) })}</>
      ) : null}
    </>
  )
}
