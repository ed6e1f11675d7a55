import { Button } from '@mantine/core'
import { useContext, useEffect, useEffectEvent, useId, useRef, useState, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { Dialog } from '../controls/Dialog.tsx'
import { useLocale, useText } from '../intl/text.tsx'
import { visible } from '../intl/visible.ts'
import { choicesAmong, ListFilters, wordsOf, type Choice, type FilterValues } from './ListFilters.tsx'
import { BarStart } from './bar-start.ts'
import { placeOf, useKeysOn, wishOf } from './keys.ts'
import { KeysLegend } from './KeysLegend.tsx'
import { SearchField } from './SearchField.tsx'
import { useIsNarrow } from './use-is-narrow.ts'
import type { Place } from './list-view.ts'
import type { GoToView } from './use-list-view.ts'
import styles from './list.module.css'

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
  const { view, noFilters } = props
  const choices = choicesAmong<Filters>(props.choices, view)
  const set = choices.filter(({ name }) => view[name] !== null)
  const searched = view.search.trim()
  const narrowings = set.length + (searched === '' ? 0 : 1)
  const on = useKeysOn()
  // What the address narrows it by is open to be changed; on a phone it would stand before what was found.
  const [open, setOpen] = useState(!isSheet && narrowings > 0)
  const [legend, setLegend] = useState(false)
  const panel = useId()
  const head = useRef<HTMLDivElement>(null)
  const setStart = useContext(BarStart)?.set
  const go = (change: Partial<Place<Ordering>> | FilterValues, how = false) =>
    props.onView(change as Partial<Place<Ordering> & Filters>, { on: how })
  const filter = (name: string, value: string | null) => go({ [name]: value })
  /** Whoever opens it begins to type. */
  const unfold = () => {
    flushSync(() => setOpen(true))
    head.current?.querySelector<HTMLElement>('input[type="search"]')?.focus()
  }
  const press = useEffectEvent((event: KeyboardEvent) => {
    const wish = wishOf(event, placeOf(event.target, null))
    if (wish !== 'search' && wish !== 'legend') return
    event.preventDefault()
    if (wish === 'search') unfold()
    else setLegend(true)
  })
  useEffect(() => {
    if (!on) return undefined
    const onKey = (event: KeyboardEvent) => press(event)
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [on])
  const fields = (
    <>
      <SearchField label={props.searchLabel} search={view.search} onSearch={(search, how) => go({ search }, how)} />
      <OrderField
        ordering={view.ordering}
        orderings={props.orderings}
        bound={props.bound}
        onOrder={(ordering) => go({ ordering })}
      />
      <ListFilters choices={choices} filters={view} onFilter={filter} />
    </>
  )
  return (
    <div ref={head} className={styles['head']}>
      <div className={styles['toolbar']}>
        <div ref={setStart} className={styles['start']} />
        <Button
          variant="default"
          aria-expanded={open}
          {...(isSheet ? { 'aria-haspopup': 'dialog' as const } : { 'aria-controls': panel })}
          onClick={() => (open ? setOpen(false) : unfold())}
        >
          {narrowings === 0 ? text('ui.list.find') : text('ui.list.find.set', { count: narrowings })}
        </Button>
        <button type="button" className={styles['keys']} aria-label={text('ui.list.keys')} onClick={() => setLegend(true)}>
          ?
        </button>
      </div>
      <KeysLegend open={legend} onClose={() => setLegend(false)} />
      {isSheet ? (
        <Dialog open={open} side="bottom" title={text('ui.list.find')} onClose={() => setOpen(false)}>
          <div className={styles['panel']}>{fields}</div>
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
        <div id={panel} className={styles['panel']} hidden={!open}>
          {fields}
        </div>
      )}
      {narrowings > 0 ? (
        <Narrowing<Filters>
          search={searched}
          choices={set}
          filters={view}
          onFilter={filter}
          onSearch={() => go({ search: '' })}
          onAll={() => go({ ...noFilters, search: '' })}
        />
      ) : null}
    </div>
  )
}

/** What narrows the list, each with the way out of it: a filter that nobody sees hides what is searched for. */
function Narrowing<Filters extends FilterValues>(props: {
  /** Empty: no words were searched for. */
  search: string
  choices: readonly Choice<Filters>[]
  filters: Filters
  onFilter: (name: string, value: null) => void
  /** No words any more. */
  onSearch: () => void
  /** Neither words nor filters. */
  onAll: () => void
}): ReactNode {
  const text = useText()
  const locale = useLocale()
  const chip = (key: string, words: string, remove: () => void) => (
    <li key={key}>
      <button
        type="button"
        className={styles['chip']}
        aria-label={text('ui.list.filter.remove', { filter: words })}
        onClick={remove}
      >
        {words}
        <span aria-hidden="true">×</span>
      </button>
    </li>
  )
  return (
    <ul className={styles['chips']} aria-label={text('ui.list.narrowed')}>
      {props.search === '' ? null : chip('', text('ui.list.find.words', { words: visible(props.search) }), props.onSearch)}
      {props.choices.map((choice) =>
        chip(
          choice.name,
          text('ui.list.filter.value', { name: choice.label, value: wordsOf(choice, props.filters, locale) }),
          () => props.onFilter(choice.name, null),
        ),
      )}
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
