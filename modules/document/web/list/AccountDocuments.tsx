import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { call } from '../../../../ui/api/call.ts'
import { AccountList } from '../../../../ui/list/AccountList.tsx'
import { SelectableRows } from '../../../../ui/list/SelectableRows.tsx'
import { useListView } from '../../../../ui/list/use-list-view.ts'
import rowStyles from '../../../../ui/list/rows.module.css'
import { listDocuments } from '../../contract/endpoints.ts'
import type { Category } from '../../domain/status.ts'
import { useDocumentName } from '../deposit/document-name.ts'
import { useMayManage } from '../../../account/web/index.ts'
import { useHiddenNames } from '../outbox/use-hidden-names.ts'
import { useDocumentList } from './queries.ts'
import { DatedLately } from './DatedLately.tsx'
import { DocumentRow } from './DocumentRow.tsx'
import { HiddenNames } from './HiddenNames.tsx'
import { ListHead } from './ListHead.tsx'
import { list, queryOfView, type ListView } from './list-view.ts'
import { isSelectable } from './row-changes.ts'
import { SelectionActions } from './SelectionActions.tsx'

export const listAddresses = {
  pending: '/$locale/documents/pending/',
  completed: '/$locale/documents/completed/',
  trash: '/$locale/documents/trash/',
} as const

/** C-13: the deposits that the account reaches. What is looked for, in which order, and which page, stands in the address. */
export function AccountDocuments(props: { category: Category; userId: string }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { category } = props
  const [view, go] = useListView(list, listAddresses[category])
  const nothing = (
    <div className={rowStyles['empty']}>
      <h2>{text(`document.empty.${category}`)}</h2>
      <p>{text(`document.empty.${category}.text`)}</p>
      {category === 'pending' ? null : (
        <p>
          <Button size="md" renderRoot={(root) => <Link to="/$locale/documents/pending/" params={{ locale }} {...root} />}>
            {text('document.empty.action')}
          </Button>
        </p>
      )}
    </div>
  )
  return (
    <AccountList
      kind={list}
      reading={useDocumentList(category, view)}
      view={view}
      empty={category === 'pending' ? <DatedLately userId={props.userId} instead={nothing} /> : nothing}
      nothingFound={{ title: text('document.empty.found'), text: text('document.empty.found.text') }}
      renderHead={() => <ListHead category={category} view={view} onView={go} />}
      renderRows={(data, stale) => (
        <>
          <Rows {...props} view={view} data={data} stale={stale} />
          {category === 'pending' && list.isPlain(view) ? <DatedLately userId={props.userId} instead={null} /> : null}
        </>
      )}
      onView={go}
    />
  )
}

/** As many as one call changes, and as far as matches are counted. */
const mostSelected = 1000

type Data = NonNullable<ReturnType<typeof useDocumentList>['data']>

function Rows(props: { category: Category; userId: string; view: ListView; data: Data; stale: boolean }): ReactNode {
  const text = useText()
  const nameOf = useDocumentName()
  const { category, view, data } = props
  const manage = useMayManage()
  const hidden = useHiddenNames(props.userId, data.results)
  return (
    <SelectableRows
      data={data}
      shown={view.size}
      listed={list.listedBy(view)}
      most={mostSelected}
      isSelectable={(each) => isSelectable(each, category, manage)}
      read={async (page, size) => await call(listDocuments, { query: { ...queryOfView(category, view), page, page_size: size } })}
      nameOf={(document) => nameOf(document, hidden.get(document.id))}
      count={text(data.count_capped ? 'document.count.more' : 'document.count', { count: data.count })}
      stale={props.stale}
      before={hidden.size === 0 ? null : <HiddenNames user={props.userId} />}
      renderRow={(document, { check, selected, onDone }) => (
        <DocumentRow
          key={document.id}
          document={document}
          category={category}
          userId={props.userId}
          hiddenName={hidden.get(document.id)}
          manage={manage}
          selected={selected}
          check={check}
          onDone={onDone}
        />
      )}
      renderActions={(selected, onDone) => (
        <SelectionActions category={category} manage={manage} selected={selected} onDone={onDone} />
      )}
    />
  )
}
