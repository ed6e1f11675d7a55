import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { AccountList } from '../../../../ui/list/AccountList.tsx'
import { SelectableRows } from '../../../../ui/list/SelectableRows.tsx'
import { useSelection } from '../../../../ui/list/use-selection.ts'
import rowStyles from '../../../../ui/list/rows.module.css'
import type { Document } from '../../contract/document.ts'
import type { Category } from '../../domain/status.ts'
import { useDocumentName } from '../deposit/document-name.ts'
import { useMayManage } from '../../../account/web/index.ts'
import { useHiddenNames } from '../outbox/use-hidden-names.ts'
import { useDocumentList } from './queries.ts'
import { DocumentRow } from './DocumentRow.tsx'
import { HiddenNames } from './HiddenNames.tsx'
import { ListHead } from './ListHead.tsx'
import { addressOfView, isNarrowed, isPlain, plainView, readView, type ListView } from './list-view.ts'
import { isSelectable } from './row-changes.ts'
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
  return (
    <AccountList
      reading={list}
      view={view}
      narrowed={isNarrowed(view)}
      plain={isPlain(view)}
      empty={
        <div className={rowStyles['empty']}>
          <h2>{text(`document.empty.${category}`)}</h2>
          <p>{text(`document.empty.${category}.text`)}</p>
        </div>
      }
      nothingFound={{ title: text('document.empty.found'), text: text('document.empty.found.text') }}
      renderHead={() => <ListHead category={category} view={view} onView={(change, on) => go(change, { on })} />}
      renderRows={(data, stale) => <Rows {...props} view={view} data={data} stale={stale} />}
      onAll={() => go(plainView)}
      onPage={(page, how) => go({ page }, how)}
      onSize={(size) => go({ size }, { top: true })}
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
  const selectable = data.results.filter((each) => isSelectable(each, category, manage))
  const listed = JSON.stringify([
    category,
    addressOfView({ ...view, page: 1, ordering: plainView.ordering, size: plainView.size }),
  ])
  const selection = useSelection<Document>(listed, selectable, mostSelected)
  return (
    <SelectableRows
      rows={data.results}
      selectable={selectable}
      selection={selection}
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
      renderBar={(onDone) => (
        <SelectionBar
          category={category}
          view={view}
          manage={manage}
          selection={selection}
          count={data.count_capped ? null : data.count}
          shown={view.size}
          onDone={onDone}
        />
      )}
    />
  )
}
