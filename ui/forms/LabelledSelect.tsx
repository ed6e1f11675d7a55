import { useId, type ReactNode } from 'react'
import styles from './labelled-select.module.css'

/** One of a few, taken at once. @param props.className of the box, where it is to look as what stands beside it */
export function LabelledSelect(props: {
  label: string
  value: string
  options: readonly (readonly [value: string, label: string])[]
  /** In the form around it. */
  name?: string
  className?: string | undefined
  onChoose: (value: string, select: HTMLSelectElement) => void
}): ReactNode {
  const id = useId()
  return (
    <div className={props.className ?? styles['filter']}>
      <label htmlFor={id}>{props.label}</label>
      <select
        id={id}
        name={props.name}
        value={props.value}
        onChange={({ currentTarget }) => props.onChoose(currentTarget.value, currentTarget)}
      >
        {props.options.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </div>
  )
}
