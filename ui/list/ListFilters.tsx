import { useId, type ReactNode } from 'react'
import { DayInput } from '../forms/DayInput.tsx'
import { LabelledSelect } from '../forms/LabelledSelect.tsx'
import { useText } from '../intl/text.tsx'
import { visible } from '../intl/visible.ts'
import styles from './list.module.css'

export type FilterValues = Readonly<Record<string, string | null>>
type Option = readonly [value: string, label: string]
/** What a list may be filtered by, in words. */
export type Choice<Filters extends FilterValues> = {
  readonly name: keyof Filters & string
  readonly label: string
  readonly options: readonly Option[] | 'day'
}

/** Makers as they are chosen from: of one alone there is nothing to choose. */
export const optionsOfMakers = (makers: readonly { readonly id: string; readonly name: string }[]): readonly Option[] =>
  makers.length < 2 ? [] : makers.map(({ id, name }) => [id, visible(name === '' ? id : name)])

/** Those that have anything to choose; one that is set is shown, whatever there is to choose. */
export function choicesAmong<Filters extends FilterValues>(
  choices: readonly Choice<Filters>[],
  filters: Filters,
): readonly Choice<Filters>[] {
  return choices.filter(({ name, options }) => options.length > 0 || filters[name] !== null)
}

/** The value that is set, in words; what this page has no words for is shown as it is. */
export function wordsOf<Filters extends FilterValues>(
  { name, options }: Choice<Filters>,
  filters: Filters,
  locale: string,
): string {
  const value = filters[name] ?? ''
  if (options !== 'day') return options.find(([each]) => each === value)?.[1] ?? visible(value)
  return new Date(`${value}T12:00`).toLocaleDateString(locale === 'fr' ? 'fr-FR' : 'en-GB', { dateStyle: 'medium' })
}

export function ListFilters<Filters extends FilterValues>(props: {
  choices: readonly Choice<Filters>[]
  filters: Filters
  onFilter: (name: keyof Filters & string, value: string | null) => void
}): ReactNode {
  return (
    <div className={styles['filters']}>
      {props.choices.map(({ name, label, options }) => (
        <Filter
          key={name}
          label={label}
          options={options}
          value={props.filters[name] ?? ''}
          onChoose={(value) => props.onFilter(name, value === '' ? null : value)}
        />
      ))}
    </div>
  )
}

function Filter(props: {
  label: string
  options: readonly Option[] | 'day'
  value: string
  onChoose: (value: string) => void
}): ReactNode {
  const text = useText()
  const id = useId()
  const { label, options, value, onChoose } = props
  if (options !== 'day') {
    const any: Option = ['', text('ui.list.filter.any')]
    return (
      <LabelledSelect className={styles['field']} label={label} value={value} options={[any, ...options]} onChoose={onChoose} />
    )
  }
  return (
    <div className={styles['field']}>
      <label htmlFor={id}>{label}</label>
      <DayInput id={id} autoComplete="off" day={value} onDay={onChoose} />
    </div>
  )
}
