import type { ReactNode } from 'react'
import { call } from '../../../../ui/api/call.ts'
import { useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { listEvidences } from '../../contract/endpoints.ts'
import { AccountRow } from './AccountRow.tsx'
import { NoEvidence } from './NoEvidence.tsx'
import pageStyles from '../../../../ui/list/rows.module.css'
import { ListHead } from './ListHead.tsx'
import { list, queryOfView, type Category, type ListView } from './list-view.ts'
import { useMayManage } from '../../../account/web/index.ts'
import { useEvidenceList } from './queries.ts'
import { ChangeButtons } from './ChangeButtons.tsx'
import { actionsIn, actionsOf, isAsked } from './row-changes.ts'
import { AccountList } from '../../../../ui/list/AccountList.tsx'
import { SelectableRows } from '../../../../ui/list/SelectableRows.tsx'
import { useListView } from '../../../../ui/list/use-list-view.ts'

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
          {category === 'completed' ? null : (
            <p className={pageStyles['soft']}>
              {text(category === 'trash' ? 'evidence.account.trash.lead' : 'evidence.account.lead')}
            </p>
          )}
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
      renderRow={(evidence, how) => (
        <AccountRow
          key={evidence.id}
          evidence={evidence}
          category={category}
          userId={props.userId}
          view={view}
          manage={manage}
          {...how}
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
