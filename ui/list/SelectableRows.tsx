import { useRef, useState, type ReactNode } from 'react'
import { useText } from '../intl/text.tsx'
import type { Selection } from './use-selection.ts'
import styles from './list.module.css'
import rowStyles from './rows.module.css'

/**
 * Rows that can be selected one by one, by their page, and with the shift key all between two.
 * @param props.selectable those with which anything can be done; `nameOf` one is told from the others by
 */
export function SelectableRows<Row extends { readonly id: string }>(props: {
  rows: readonly Row[]
  selectable: readonly Row[]
  selection: Selection<Row>
  nameOf: (row: Row) => string
  /** How many match, in words. */
  count: string
  stale: boolean
  before?: ReactNode
  /** @param check its box, or the room of one that others have; null where nothing can be done with any of them. `onDone`: call before it goes, as it takes the focus with it */
  renderRow: (row: Row, how: { readonly check: ReactNode; readonly selected: boolean; readonly onDone: () => void }) => ReactNode
  /** What is done to all that is selected. */
  renderBar: (onDone: () => void) => ReactNode
}): ReactNode {
  const text = useText()
  const { rows, selectable, selection } = props
  const [head, setHead] = useState<HTMLElement | null>(null)
  const onDone = () => head?.focus({ preventScroll: true })
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
            <span>{text('ui.list.select.page')}</span>
          </label>
        )}
        <p ref={setHead} tabIndex={-1} role="status" className={rowStyles['soft']}>
          {props.count}
        </p>
      </div>
      {props.before}
      <ul className={rowStyles['list']} aria-busy={props.stale}>
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
      </ul>
      {selection.rows.size === 0 ? null : props.renderBar(onDone)}
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
