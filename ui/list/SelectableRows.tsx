import { useRef, useState, type ReactNode } from 'react'
import { useText } from '../intl/text.tsx'
import type { Listed } from './AccountList.tsx'
import { InBar } from './InBar.tsx'
import { Rows } from './Rows.tsx'
import { SelectionBar } from './SelectionBar.tsx'
import { useIsNarrow } from './use-is-narrow.ts'
import { useSelection } from './use-selection.ts'
import styles from './list.module.css'
import rowStyles from './rows.module.css'

/**
 * Rows that can be selected one by one, by their page, and with the shift key all between two; and what is done to all that are.
 * @param props.listed what the list is of: another text, another list; `most` that may be selected at once
 * @param props.isSelectable whether anything can be done with it; `nameOf` one is told from the others by
 * @param props.read a page of all that match, of so many rows
 */
export function SelectableRows<Row extends { readonly id: string }>(props: {
  data: Listed<Row>
  /** How many stand on the page. */
  shown: number
  listed: string
  most: number
  isSelectable: (row: Row) => boolean
  read: (page: number, size: number) => Promise<Pick<Listed<Row>, 'results' | 'next'>>
  nameOf: (row: Row) => string
  /** How many match, in words. */
  count: string
  stale: boolean
  before?: ReactNode
  /** @param check its box, or the room of one that others have; null where nothing can be done with any of them. `onDone`: call before it goes, as it takes the focus with it */
  renderRow: (row: Row, how: { readonly check: ReactNode; readonly selected: boolean; readonly onDone: () => void }) => ReactNode
  /** What is done to all that are selected. */
  renderActions: (selected: readonly Row[], onDone: () => void) => ReactNode
}): ReactNode {
  const text = useText()
  const narrow = useIsNarrow()
  const { data } = props
  const rows = data.results
  const selectable = rows.filter(props.isSelectable)
  const selection = useSelection(props.listed, selectable, props.most)
  const [head, setHead] = useState<HTMLElement | null>(null)
  const onDone = () => head?.focus({ preventScroll: true })
  const all = selectable.length > 0 && selectable.every(({ id }) => selection.rows.has(id))
  const some = selectable.some(({ id }) => selection.rows.has(id))
  return (
    <>
      <InBar>
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
            <span className={narrow ? 'visually-hidden' : undefined}>{text('ui.list.select.page')}</span>
          </label>
        )}
        <p ref={setHead} tabIndex={-1} role="status" className={rowStyles['soft']}>
          {props.count}
        </p>
      </InBar>
      {props.before}
      <Rows
        busy={props.stale}
        onSelect={(index, range) => {
          const row = rows[index]
          if (row !== undefined && selectable.includes(row)) selection.toggle(row, !selection.rows.has(row.id), range)
        }}
      >
        {rows.map((row) => {
          const selected = selection.rows.has(row.id)
          const check =
            selectable.length === 0 ? null : !selectable.includes(row) ? (
              <span className={styles['noCheck']} />
            ) : (
              <RowCheck name={props.nameOf(row)} checked={selected} onToggle={(on, range) => selection.toggle(row, on, range)} />
            )
          return props.renderRow(row, { check, selected, onDone })
        })}
      </Rows>
      {selection.rows.size === 0 ? null : (
        <SelectionBar
          selection={selection}
          count={data.count_capped ? null : data.count}
          shown={props.shown}
          read={props.read}
          isSelectable={props.isSelectable}
        >
          {props.renderActions([...selection.rows.values()], () => {
            selection.clear()
            onDone()
          })}
        </SelectionBar>
      )}
    </>
  )
}

function RowCheck(props: { name: string; checked: boolean; onToggle: (on: boolean, range: boolean) => void }): ReactNode {
  const text = useText()
  const range = useRef(false)
  return (
    <label className={styles['check']}>
      <input
        type="checkbox"
        checked={props.checked}
        // With the pointer or the space bar: the click comes before the change, and tells of the shift key.
        onClick={(event) => {
          range.current = event.shiftKey
        }}
        onChange={(event) => props.onToggle(event.currentTarget.checked, range.current)}
      />
      <span className="visually-hidden">{text('ui.list.select', { what: props.name })}</span>
    </label>
  )
}
