import { Button } from '@mantine/core'
import { useId, useState, useSyncExternalStore, type ReactNode } from 'react'
import { Dialog } from '../controls/Dialog.tsx'
import { useLocale, useText } from '../intl/text.tsx'
import { choicesAmong, ListFilters, wordsOf, type Choice, type FilterValues } from './ListFilters.tsx'
import { SearchField } from './SearchField.tsx'
import type { Place } from './list-view.ts'
import type { GoToView } from './use-list-view.ts'
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

type ListHeadProps<Ordering extends string, Filters extends FilterValues> = {
  searchLabel: string
  view: Pick<Place<Ordering>, 'search' | 'ordering'> & Filters
  orderings: readonly { readonly value: Ordering; readonly label: string; readonly disabled?: boolean }[]
  /** Why some orders cannot be had; null: all can. */
  bound: string | null
  noFilters: Filters
  /** What it may be filtered by; shown where there is anything to choose. */
  choices: readonly Choice<Filters>[]
  onView: GoToView<Place<Ordering> & Filters>
}

/** What is listed, and in which order: the words, the filters, the order. */
export function ListHead<Ordering extends string, Filters extends FilterValues>(
  props: ListHeadProps<Ordering, Filters>,
): ReactNode {
  const text = useText()
  const isSheet = useIsNarrow()
  const [open, setOpen] = useState(false)
  const panel = useId()
  const { view, noFilters } = props
  const choices = choicesAmong<Filters>(props.choices, view)
  const set = choices.filter(({ name }) => view[name] !== null)
  const go = (change: Partial<Place<Ordering>> | FilterValues, on = false) =>
    props.onView(change as Partial<Place<Ordering> & Filters>, { on })
  const filter = (name: string, value: string | null) => go({ [name]: value })
  const fields = <ListFilters choices={choices} filters={view} onFilter={filter} />
  return (
    <div className={styles['head']}>
      <div className={styles['controls']}>
        <SearchField label={props.searchLabel} search={view.search} onSearch={(search, on) => go({ search }, on)} />
        <OrderField
          ordering={view.ordering}
          orderings={props.orderings}
          bound={props.bound}
          onOrder={(ordering) => go({ ordering })}
        />
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
            <Button variant="default" size="md" disabled={set.length === 0} onClick={() => go(noFilters)}>
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
      {set.length > 0 || view.search.trim() !== '' ? (
        <Narrowing<Filters> choices={set} filters={view} onFilter={filter} onAll={() => go({ ...noFilters, search: '' })} />
      ) : null}
    </div>
  )
}

/** What narrows the list, each with the way out of it: a filter that nobody sees hides what is searched for. */
function Narrowing<Filters extends FilterValues>(props: {
  choices: readonly Choice<Filters>[]
  filters: Filters
  onFilter: (name: string, value: null) => void
  /** Neither words nor filters. */
  onAll: () => void
}): ReactNode {
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

function OrderField<Ordering extends string>(
  props: Pick<ListHeadProps<Ordering, FilterValues>, 'orderings' | 'bound'> & {
    ordering: Ordering
    onOrder: (ordering: Ordering) => void
  },
): ReactNode {
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
