import { useQuery } from '@tanstack/react-query'
import { useId, type ReactNode } from 'react'
import { formatBytes } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import styles from '../deposit/panels.module.css'
import { call } from '../../../../ui/api/call.ts'
import { readCopyLimits } from '../../contract/copy.ts'

const copyLimitsQuery = {
  queryKey: ['documents', 'copies'] as const,
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => call(readCopyLimits, { signal }),
}

/** H-15: off unless somebody wishes it; what leaves this computer then, and until when it is kept. */
export function StoreTick(props: {
  checked: boolean
  count: number
  /** Bytes of each file. */
  sizes: () => readonly number[]
  onChange: (checked: boolean) => void
}): ReactNode {
  const text = useText()
  const id = useId()
  return (
    <div className={styles['tick']}>
      <input
        id={id}
        type="checkbox"
        checked={props.checked}
        aria-describedby={`${id}-hint`}
        onChange={(event) => props.onChange(event.currentTarget.checked)}
      />
      <label htmlFor={id}>{text('document.deposit.store', { count: props.count })}</label>
      <p id={`${id}-hint`} className={styles['soft']}>
        {text('document.deposit.store.hint')}
      </p>
      {props.checked ? <Limits sizes={props.sizes()} /> : null}
    </div>
  )
}

/** Nothing is asked of the server before somebody ticks. */
function Limits(props: { sizes: readonly number[] }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { data } = useQuery(copyLimitsQuery)
  if (data === undefined) return null
  const largest = Math.min(data.bytes, data.room)
  const tooLarge = props.sizes.filter((size) => size > largest).length
  const all = props.sizes.reduce((sum, size) => sum + size, 0)
  return (
    <>
      <p className={styles['soft']}>
        {text('document.copy.limits', {
          size: formatBytes(largest, locale),
          left: formatBytes(data.left, locale),
          days: data.days,
        })}
      </p>
      {tooLarge === 0 ? null : (
        <p className={styles['notice']} data-kind="caution" role="status">
          {text('document.deposit.store.too_large', { count: tooLarge })}
        </p>
      )}
      {tooLarge > 0 || all <= data.left ? null : (
        <p className={styles['notice']} data-kind="caution" role="status">
          {text('document.deposit.store.too_much', { size: formatBytes(all, locale) })}
        </p>
      )}
    </>
  )
}
