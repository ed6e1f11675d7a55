import { Button } from '@mantine/core'
import { useId, useState, useSyncExternalStore, type ReactNode } from 'react'
import { Dialog } from '../../../../ui/controls/Dialog.tsx'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { ListFilters, useFilterChoices, wordsOf } from './ListFilters.tsx'
import {
  filtersSet,
  isNarrowed,
  isSorting,
  noFilters,
  orderings,
  plainView,
  type Category,
  type Filters,
  type ListView,
  type Ordering,
} from './list-view.ts'
import { SearchField } from '../../../../ui/list/SearchField.tsx'
import styles from '../../../../ui/list/list.module.css'

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

/** What is listed, and in which order: the words, the filters, the order. */
export function ListHead(props: {
  category: Category
  view: ListView
  /** Whether what is listed is few enough to be sorted. */
  sortable: boolean
  /** @param on goes on from the change before: it makes no step of its own to go back from */
  onView: (change: Partial<ListView>, on: boolean) => void
}): ReactNode {
  const text = useText()
  const { category, view, onView } = props
  const isSheet = useIsNarrow()
  const [open, setOpen] = useState(false)
  const choices = useFilterChoices(category, view)
  const panel = useId()
  const set = filtersSet(view)
  const filter = (filters: Filters) => onView(filters, false)
  const fields = <ListFilters choices={choices} filters={view} onFilters={filter} />
  return (
    <div className={styles['head']}>
      <div className={styles['controls']}>
        <SearchField
          label={text('evidence.account.search.label')}
          search={view.search}
          onSearch={(search, on) => onView({ search }, on)}
        />
        <OrderField view={view} sortable={props.sortable} onOrder={(ordering) => onView({ ordering }, false)} />
        <Button
          variant="default"
          size="md"
          aria-expanded={open}
          {...(isSheet ? { 'aria-haspopup': 'dialog' as const } : { 'aria-controls': panel })}
          onClick={() => setOpen(!open)}
        >
          {set.length === 0 ? text('evidence.account.filters') : text('evidence.account.filters.set', { count: set.length })}
        </Button>
      </div>
      {isSheet ? (
        <Dialog open={open} title={text('evidence.account.filters')} onClose={() => setOpen(false)}>
          {fields}
          <div className={styles['sheetFoot']}>
            <Button variant="default" size="md" disabled={set.length === 0} onClick={() => filter(noFilters)}>
              {text('evidence.account.filters.clear')}
            </Button>
            <Button size="md" onClick={() => setOpen(false)}>
              {text('evidence.account.filters.done')}
            </Button>
          </div>
        </Dialog>
      ) : (
        <div id={panel} hidden={!open}>
          {fields}
        </div>
      )}
      {isNarrowed(view) ? <Narrowing choices={choices} view={view} onView={onView} /> : null}
    </div>
  )
}

/** What narrows the list, each with the way out of it: a filter that nobody sees hides what is searched for. */
function Narrowing(props: {
  choices: ReturnType<typeof useFilterChoices>
  view: ListView
  onView: (change: Partial<ListView>, on: boolean) => void
}): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { choices, view, onView } = props
  return (
    <ul className={styles['chips']} aria-label={text('evidence.account.narrowed')}>
      {choices
        .filter(({ name }) => view[name] !== null)
        .map((choice) => {
          const words = text('evidence.account.filter.value', { name: choice.label, value: wordsOf(choice, view, locale) })
          return (
            <li key={choice.name}>
              <button
                type="button"
                className={styles['chip']}
                aria-label={text('evidence.account.filter.remove', { filter: words })}
                onClick={() => onView({ [choice.name]: null }, false)}
              >
                {words}
                <span aria-hidden="true">×</span>
              </button>
            </li>
          )
        })}
      <li>
        <button
          type="button"
          className={styles['chip']}
          data-all=""
          onClick={() => onView({ ...noFilters, search: plainView.search }, false)}
        >
          {text('evidence.account.search.all')}
        </button>
      </li>
    </ul>
  )
}

function OrderField(props: { view: ListView; sortable: boolean; onOrder: (ordering: Ordering) => void }): ReactNode {
  const text = useText()
  const id = useId()
  const { view, sortable } = props
  return (
    <div className={styles['field']}>
      <label htmlFor={id}>{text('evidence.account.order')}</label>
      <select
        id={id}
        value={view.ordering}
        {...(sortable ? {} : { 'aria-describedby': `${id}-bound` })}
        onChange={(event) => {
          const chosen = orderings.find((each) => each === event.currentTarget.value)
          if (chosen !== undefined) props.onOrder(chosen)
        }}
      >
        {orderings.map((each) => (
          <option key={each} value={each} disabled={!sortable && isSorting(each)}>
            {text(`evidence.account.order.${each}`)}
          </option>
        ))}
      </select>
      {sortable ? null : (
        <p id={`${id}-bound`} className={styles['hint']}>
          {text('evidence.account.order.bound')}
        </p>
      )}
    </div>
  )
}
