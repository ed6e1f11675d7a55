import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { formatMonth } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import type { EvidenceStats as Stats } from '../../contract/account-endpoints.ts'
import { useErrorText } from '../error-text.ts'
import { statsQuery } from './queries.ts'
import styles from '../../../../ui/list/list.module.css'

type Tally = Stats['global']

/** E-51, E-52, H-40: final reports of this month, of the one before and in all; also of the group, for who manages it. */
export function EvidenceStats(): ReactNode {
  const text = useText()
  const errorText = useErrorText()
  const { data, error, isError, refetch } = useQuery(statsQuery)
  if (isError && data === undefined)
    return (
      <div className={styles['stats']} role="alert">
        <p>
          {text('evidence.account.stats.failed')} {errorText(error)}
        </p>
        <Button variant="default" onClick={() => void refetch()}>
          {text('ui.retry')}
        </Button>
      </div>
    )
  const [group] = data?.groups ?? []
  return (
    <section className={styles['stats']} aria-label={text('evidence.account.stats')} aria-busy={data === undefined}>
      <Tallies title={text('evidence.account.stats.own')} tally={data?.global} month={data?.month} />
      {group === undefined ? null : <Tallies title={text('evidence.account.stats.group')} tally={group} month={data?.month} />}
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
        <div>
          <dt>{name(0)}</dt>
          <dd>{figure(tally?.current)}</dd>
        </div>
        <div>
          <dt>{name(1)}</dt>
          <dd>{figure(tally?.previous)}</dd>
        </div>
        <div>
          <dt>{text('evidence.account.stats.total')}</dt>
          <dd>{figure(tally?.total)}</dd>
        </div>
      </dl>
    </div>
  )
}
