import { useQuery } from '@tanstack/react-query'
import { useId, type ReactNode } from 'react'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { captureActions } from '../../domain/action.ts'
import { useScenarios } from '../capture-options.ts'
import { noFilters, statusesIn, type Category, type Filters } from './list-view.ts'
import { makersQuery } from './queries.ts'
import styles from '../../../../ui/list/list.module.css'

type Option = readonly [value: string, label: string]
type Choice = { readonly name: keyof Filters; readonly label: string; readonly options: readonly Option[] | 'day' }

/** What a list may be filtered by, in words; of one thing alone there is nothing to choose. */
export function useFilterChoices(category: Category, filters: Filters): readonly Choice[] {
  const text = useText()
  const locale = useLocale()
  const scenarios = (useScenarios().data ?? []).filter(({ id }) => id !== 'normal')
  const makers = useQuery(makersQuery).data?.makers ?? []
  const statuses: readonly Option[] = statusesIn[category].map((status) => [status, text(`evidence.status.${status}`)])
  const choices: readonly Choice[] = [
    { name: 'status', label: text('evidence.account.filter.status'), options: statuses },
    {
      name: 'action',
      label: text('evidence.account.filter.action'),
      options: captureActions.map((action) => [action, text(`capture.action.${action}`)]),
    },
    {
      name: 'scenario',
      label: text('evidence.account.filter.scenario'),
      options: scenarios.map(({ id, name }) => [id, name[locale]]),
    },
    {
      name: 'by',
      label: text('evidence.account.filter.by'),
      options: makers.length < 2 ? [] : makers.map(({ id, name }) => [id, visible(name === '' ? id : name)]),
    },
    { name: 'from', label: text('evidence.account.filter.from'), options: 'day' },
    { name: 'to', label: text('evidence.account.filter.to'), options: 'day' },
  ]
  // One that is set is shown, whatever there is to choose.
  return choices.filter(({ name, options }) => options.length > 0 || filters[name] !== null)
}

/** The value that is set, in words; what this page has no words for is shown as it is. */
export function wordsOf({ name, options }: Choice, filters: Filters, locale: string): string {
  const value = filters[name] ?? ''
  if (options !== 'day') return options.find(([each]) => each === value)?.[1] ?? visible(value)
  return new Date(`${value}T12:00`).toLocaleDateString(locale === 'fr' ? 'fr-FR' : 'en-GB', { dateStyle: 'medium' })
}

export function ListFilters(props: {
  choices: readonly Choice[]
  filters: Filters
  onFilters: (filters: Filters) => void
}): ReactNode {
  const { filters, onFilters } = props
  return (
    <div className={styles['filters']}>
      {props.choices.map((choice) => (
        <Filter
          key={choice.name}
          choice={choice}
          value={filters[choice.name] ?? ''}
          onChoose={(value) => onFilters({ ...noFilters, ...filters, [choice.name]: value === '' ? null : value })}
        />
      ))}
    </div>
  )
}

function Filter(props: { choice: Choice; value: string; onChoose: (value: string) => void }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const id = useId()
  const { choice, value, onChoose } = props
  return (
    <div className={styles['field']}>
      <label htmlFor={id}>{choice.label}</label>
      {choice.options === 'day' ? (
        <input
          id={id}
          type="date"
          lang={locale === 'fr' ? 'fr-FR' : 'en-GB'}
          value={value}
          min="2000-01-01"
          max="2999-12-31"
          onChange={(event) => onChoose(event.currentTarget.value)}
        />
      ) : (
        <select id={id} value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
          <option value="">{text('evidence.account.filter.any')}</option>
          {choice.options.map(([each, label]) => (
            <option key={each} value={each}>
              {label}
            </option>
          ))}
        </select>
      )}
    </div>
  )
}
