import type { ReactNode } from 'react'
import { call } from '../../../../ui/api/call.ts'
import { useSession } from '../../../../ui/api/session.ts'
import { formatInstant } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { listEvidences } from '../../contract/endpoints.ts'
import type { Evidence } from '../../contract/evidence.ts'
import { trashLifetimeMs } from '../../domain/status.ts'
import { EvidenceRow } from './EvidenceRow.tsx'
import { NoEvidence } from './NoEvidence.tsx'
import pageStyles from '../../../../ui/list/rows.module.css'
import { LabelEditor } from './LabelEditor.tsx'
import { ListHead } from './ListHead.tsx'
import { list, queryOfView, type Category, type ListView } from './list-view.ts'
import { useMayManage } from '../../../account/web/index.ts'
import { useEvidenceList } from './queries.ts'
import { ChangeButtons } from './ChangeButtons.tsx'
import { actionsIn, actionsOf, isAsked } from './row-changes.ts'
import { AccountList } from '../../../../ui/list/AccountList.tsx'
import { SelectableRows } from '../../../../ui/list/SelectableRows.tsx'
import { useListView } from '../../../../ui/list/use-list-view.ts'
import listStyles from '../../../../ui/list/list.module.css'

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
  const { category } = props
  const [view, go] = useListView(list, addresses[category])
  return (
    <AccountList
      kind={list}
      reading={useEvidenceList(category, view)}
      view={view}
      empty={
        category === 'trash' ? (
          <div className={pageStyles['empty']}>
            <h2>{text(empty.trash)}</h2>
            <p>{text('evidence.account.empty.trash.text')}</p>
          </div>
        ) : (
          <NoEvidence title={text(empty[category])} />
        )
      }
      nothingFound={{ title: text('evidence.account.empty.found'), text: text('evidence.account.empty.found.text') }}
      renderHead={({ sortable }) => (
        <>
          <p className={pageStyles['soft']}>
            {text(category === 'trash' ? 'evidence.account.trash.lead' : 'evidence.account.lead')}
          </p>
          <ListHead category={category} view={view} sortable={sortable} onView={go} />
        </>
      )}
      renderRows={(data, stale) => <Rows {...props} view={view} data={data} stale={stale} />}
      onView={go}
    />
  )
}

/** As many as one call changes. */
const mostSelected = 100

type Data = NonNullable<ReturnType<typeof useEvidenceList>['data']>

function Rows(props: { category: Category; userId: string; view: ListView; data: Data; stale: boolean }): ReactNode {
  const text = useText()
  const { category, view, data } = props
  const manage = useMayManage()
  return (
    <SelectableRows
      data={data}
      shown={view.size}
      listed={list.listedBy(view)}
      most={mostSelected}
      isSelectable={(each) => actionsOf(each, category, manage).length > 0}
      read={async (page, size) => await call(listEvidences, { query: { ...queryOfView(category, view), page, page_size: size } })}
      nameOf={({ preview, page_url: address }) => visible((preview?.title ?? '') === '' ? address : (preview?.title ?? ''))}
      count={text(data.count_capped ? 'evidence.account.count.more' : 'evidence.account.count', { count: data.count })}
      stale={props.stale}
      renderRow={(evidence, { check, selected, onDone }) => (
        <EvidenceRow
          key={evidence.id}
          held={evidence}
          evidence={evidence}
          failed={false}
          selected={selected}
          check={check ?? undefined}
          more={<More evidence={evidence} userId={props.userId} view={view} />}
          label={<LabelEditor evidence={evidence} manage={manage} />}
          action={
            <div className={listStyles['rowActions']}>
              <ChangeButtons
                actions={actionsOf(evidence, category, manage)}
                rows={[evidence]}
                name={evidence.page_url}
                look={() => ({ variant: 'default', size: 'compact-sm', px: 'sm' })}
                onDone={onDone}
              />
            </div>
          }
        />
      )}
      renderActions={(selected, onDone) => (
        <ChangeButtons
          actions={actionsIn[category].filter((action) => manage || action === 'download')}
          rows={selected}
          look={(change) => (change !== null && isAsked(change) ? { variant: 'outline', color: 'bad' } : { variant: 'default' })}
          onDone={onDone}
        />
      )}
    />
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
