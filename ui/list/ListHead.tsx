import { Button } from '@mantine/core'
import { useId, useState, useSyncExternalStore, type ReactNode } from 'react'
import { Dialog } from '../controls/Dialog.tsx'
import { useLocale, useText } from '../intl/text.tsx'
import { ListFilters, wordsOf, type Choice, type FilterValues } from './ListFilters.tsx'
import { SearchField } from './SearchField.tsx'
import styles from './list.module.css'

/** As in list.module.css. */
const narrow = '(max-width: 759.98px)'

function useIsNarrow(): boolean {
  return useSyncExternalStore(
    (changed) => {
      const query = matchMedia(narrow)
      query.addEventListener('change', changed)
      return () => query.removeEventListener('change', changed)
    },
    () => matchMedia(narrow).matches,
  )
}

export type ListHeadProps<Ordering extends string, Filters extends FilterValues> = {
  searchLabel: string
  search: string
  ordering: Ordering
  orderings: readonly { readonly value: Ordering; readonly label: string; readonly disabled?: boolean }[]
  /** Why some orders cannot be had; null: all can. */
  bound: string | null
  filters: Filters
  /** What it may be filtered by. */
  choices: readonly Choice<Filters>[]
  /** @param on goes on from the change before: it makes no step of its own to go back from */
  onSearch: (search: string, on: boolean) => void
  onOrder: (ordering: Ordering) => void
  /** `value`: null takes the filter away. */
  onFilter: (name: keyof Filters & string, value: string | null) => void
  onNoFilters: () => void
  /** Neither words nor filters. */
  onAll: () => void
}

/** What is listed, and in which order: the words, the filters, the order. */
export function ListHead<Ordering extends string, Filters extends FilterValues>(
  props: ListHeadProps<Ordering, Filters>,
): ReactNode {
  const text = useText()
  const isSheet = useIsNarrow()
  const [open, setOpen] = useState(false)
  const panel = useId()
  const { choices, filters } = props
  const set = choices.filter(({ name }) => filters[name] !== null)
  const fields = <ListFilters choices={choices} filters={filters} onFilter={props.onFilter} />
  return (
    <div className={styles['head']}>
      <div className={styles['controls']}>
        <SearchField label={props.searchLabel} search={props.search} onSearch={props.onSearch} />
        <OrderField {...props} />
        <Button
          variant="default"
          size="md"
          aria-expanded={open}
          {...(isSheet ? { 'aria-haspopup': 'dialog' as const } : { 'aria-controls': panel })}
          onClick={() => setOpen(!open)}
        >
          {set.length === 0 ? text('ui.list.filters') : text('ui.list.filters.set', { count: set.length })}
        </Button>
      </div>
      {isSheet ? (
        <Dialog open={open} title={text('ui.list.filters')} onClose={() => setOpen(false)}>
          {fields}
          <div className={styles['sheetFoot']}>
            <Button variant="default" size="md" disabled={set.length === 0} onClick={props.onNoFilters}>
              {text('ui.list.filters.clear')}
            </Button>
            <Button size="md" onClick={() => setOpen(false)}>
              {text('ui.list.filters.done')}
            </Button>
          </div>
        </Dialog>
      ) : (
        <div id={panel} hidden={!open}>
          {fields}
        </div>
      )}
      {set.length > 0 || props.search.trim() !== '' ? <Narrowing {...props} choices={set} /> : null}
    </div>
  )
}

/** What narrows the list, each with the way out of it: a filter that nobody sees hides what is searched for. */
function Narrowing<Ordering extends string, Filters extends FilterValues>(props: ListHeadProps<Ordering, Filters>): ReactNode {
  const text = useText()
  const locale = useLocale()
  return (
    <ul className={styles['chips']} aria-label={text('ui.list.narrowed')}>
      {props.choices.map((choice) => {
        const words = text('ui.list.filter.value', { name: choice.label, value: wordsOf(choice, props.filters, locale) })
        return (
          <li key={choice.name}>
            <button
              type="button"
              className={styles['chip']}
              aria-label={text('ui.list.filter.remove', { filter: words })}
              onClick={() => props.onFilter(choice.name, null)}
            >
              {words}
              <span aria-hidden="true">×</span>
            </button>
          </li>
        )
      })}
      <li>
        <button type="button" className={styles['chip']} data-all="" onClick={props.onAll}>
          {text('ui.list.search.all')}
        </button>
      </li>
    </ul>
  )
}

function OrderField<Ordering extends string, Filters extends FilterValues>(props: ListHeadProps<Ordering, Filters>): ReactNode {
  const text = useText()
  const id = useId()
  const { orderings, bound } = props
  return (
    <div className={styles['field']}>
      <label htmlFor={id}>{text('ui.list.order')}</label>
      <select
        id={id}
        value={props.ordering}
        {...(bound === null ? {} : { 'aria-describedby': `${id}-bound` })}
        onChange={(event) => {
          const chosen = orderings.find(({ value }) => value === event.currentTarget.value)
          if (chosen !== undefined) props.onOrder(chosen.value)
        }}
      >
        {orderings.map(({ value, label, disabled = false }) => (
          <option key={value} value={value} disabled={disabled}>
            {label}
          </option>
        ))}
      </select>
      {bound === null ? null : (
        <p id={`${id}-bound`} className={styles['hint']}>
          {bound}
        </p>
      )}
    </div>
  )
}
