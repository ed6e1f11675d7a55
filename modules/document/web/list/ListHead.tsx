import { Button } from '@mantine/core'
import { useId, useState, type ReactNode } from 'react'
import { useText } from '../../../../ui/intl/text.tsx'
import { SearchField } from '../../../../ui/list/SearchField.tsx'
import styles from '../../../../ui/list/list.module.css'
import type { Category } from '../../domain/status.ts'
import { filtersSet, isNarrowed, noFilters, orderings, statusesIn, type Filters, type ListView } from './list-view.ts'

/** What is listed, and in which order: the words or the fingerprint, the filters, the order. */
export function ListHead(props: {
  category: Category
  view: ListView
  /** @param on goes on from the change before: it makes no step of its own to go back from */
  onView: (change: Partial<ListView>, on: boolean) => void
}): ReactNode {
  const text = useText()
  const { category, view, onView } = props
  const set = filtersSet(view)
  const [open, setOpen] = useState(set.length > 0)
  const id = useId()
  const choose = (filters: Partial<Filters>) => onView(filters, false)
  return (
    <div className={styles['head']}>
      <div className={styles['controls']}>
        <SearchField label={text('document.search')} search={view.search} onSearch={(search, on) => onView({ search }, on)} />
        <div className={styles['field']}>
          <label htmlFor={`${id}-order`}>{text('document.order')}</label>
          <select
            id={`${id}-order`}
            value={view.ordering}
            onChange={(event) => {
              const chosen = orderings.find((each) => each === event.currentTarget.value)
              if (chosen !== undefined) onView({ ordering: chosen }, false)
            }}
          >
            {orderings.map((each) => (
              <option key={each} value={each}>
                {text(`document.order.${each}`)}
              </option>
            ))}
          </select>
        </div>
        <Button variant="default" size="md" aria-expanded={open} aria-controls={`${id}-filters`} onClick={() => setOpen(!open)}>
          {set.length === 0 ? text('document.filters') : text('document.filters.set', { count: set.length })}
        </Button>
      </div>
      <div id={`${id}-filters`} hidden={!open}>
        <div className={styles['filters']}>
          {statusesIn[category].length === 0 && view.status === null ? null : (
            <div className={styles['field']}>
              <label htmlFor={`${id}-status`}>{text('document.filter.status')}</label>
              <select
                id={`${id}-status`}
                value={view.status ?? ''}
                onChange={(event) =>
                  choose({ status: statusesIn[category].find((each) => each === event.currentTarget.value) ?? null })
                }
              >
                <option value="">{text('document.filter.any')}</option>
                {statusesIn[category].map((each) => (
                  <option key={each} value={each}>
                    {text(`document.status.${each}`)}
                  </option>
                ))}
              </select>
            </div>
          )}
          {(['from', 'to'] as const).map((name) => (
            <div key={name} className={styles['field']}>
              <label htmlFor={`${id}-${name}`}>{text(`document.filter.${name}`)}</label>
              <input
                id={`${id}-${name}`}
                type="date"
                value={view[name] ?? ''}
                min="2000-01-01"
                max="2999-12-31"
                onChange={(event) => choose({ [name]: event.currentTarget.value === '' ? null : event.currentTarget.value })}
              />
            </div>
          ))}
        </div>
      </div>
      {isNarrowed(view) ? (
        <p>
          <button
            type="button"
            className={styles['chip']}
            data-all=""
            onClick={() => onView({ ...noFilters, search: '' }, false)}
          >
            {text('document.search.all')}
          </button>
        </p>
      ) : null}
    </div>
  )
}
