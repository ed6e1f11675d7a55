import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { formatMonth } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import styles from '../../../../ui/list/list.module.css'
import { statsQuery } from '../queries.ts'

type Tally = { readonly current: number; readonly previous: number; readonly total: number }

/** E-51, E-52, H-40: final deposits of this month, of the one before and in all; and the drafts, of which there may be so many. */
export function DocumentStats(): ReactNode {
  const text = useText()
  const errorText = useErrorText()
  const { data, error, isError, refetch } = useQuery(statsQuery)
  if (isError && data === undefined)
    return (
      <div className={styles['stats']} role="alert">
        <p>
          {text('document.stats.failed')} {errorText(error)}
        </p>
        <Button variant="default" onClick={() => void refetch()}>
          {text('ui.retry')}
        </Button>
      </div>
    )
  const [group] = data?.groups ?? []
  return (
    <section className={styles['stats']} aria-label={text('document.stats')} aria-busy={data === undefined}>
      <Tallies title={text('document.stats.own')} tally={data?.global} month={data?.month} />
      {group === undefined ? null : <Tallies title={text('document.stats.group')} tally={group} month={data?.month} />}
      {data === undefined || data.drafts.held === 0 ? null : (
        <p>{text('document.stats.drafts', { held: data.drafts.held, most: data.drafts.most })}</p>
      )}
    </section>
  )
}

function Tallies(props: { title: string; tally: Tally | undefined; month: string | undefined }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { tally, month } = props
  const figure = (count: number | undefined) => (count === undefined ? '…' : new Intl.NumberFormat(locale).format(count))
  const name = (back: number) => (month === undefined ? '…' : formatMonth(month, back, locale))
  return (
    <div className={styles['tally']}>
      <h2>{props.title}</h2>
      <dl>
        {[
          [name(0), tally?.current],
          [name(1), tally?.previous],
          [text('document.stats.total'), tally?.total],
        ].map(([term, count], i) => (
          <div key={i}>
            <dt>{term}</dt>
            <dd>{figure(count as number | undefined)}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
