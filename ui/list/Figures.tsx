import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useErrorText } from '../intl/error-text.ts'
import { formatMonth } from '../intl/format.ts'
import { useLocale, useText } from '../intl/text.tsx'
import { visible } from '../intl/visible.ts'
import styles from './list.module.css'

/** How many in a month, in the one before, and in all. */
export type Figures = { readonly current: number; readonly previous: number; readonly total: number }

type Read = {
  /** `2026-11` */
  readonly month: string
  readonly global: Figures
  /** Of the group that the caller manages. */
  readonly groups: readonly Figures[]
  /** Of each in it. */
  readonly users: readonly (Figures & { readonly id: string; readonly name: string })[]
}

/** E-51, E-52, H-40: what became final this month, in the one before and in all; also of the group and of each in it, for who manages it. */
export function ListFigures(props: {
  label: string
  /** Whose figures the first are. */
  own: string
  query: { data?: Read | undefined; error: Error | null; refetch: () => Promise<unknown> }
  children?: ReactNode
}): ReactNode {
  const text = useText()
  const errorText = useErrorText()
  const { data, error, refetch } = props.query
  if (error !== null && data === undefined)
    return (
      <div className={styles['stats']} role="alert">
        <p>
          {text('ui.list.stats.failed')} {errorText(error)}
        </p>
        <Button variant="default" onClick={() => void refetch()}>
          {text('ui.retry')}
        </Button>
      </div>
    )
  const [group] = data?.groups ?? []
  return (
    <section className={styles['stats']} aria-label={props.label} aria-busy={data === undefined}>
      <div className={styles['tallies']}>
        <Tally title={props.own} figures={data?.global} month={data?.month} />
        {group === undefined ? null : <Tally title={text('ui.list.stats.group')} figures={group} month={data?.month} />}
      </div>
      {data === undefined || data.users.length < 2 ? null : <ByUser data={data} />}
      {props.children}
    </section>
  )
}

function useFigures(month: string | undefined) {
  const locale = useLocale()
  return {
    figure: (count: number | undefined) => (count === undefined ? '…' : new Intl.NumberFormat(locale).format(count)),
    name: (back: number) => (month === undefined ? '…' : formatMonth(month, back, locale)),
  }
}

function Tally(props: { title: string; figures: Figures | undefined; month: string | undefined }): ReactNode {
  const text = useText()
  const { figures } = props
  const { figure, name } = useFigures(props.month)
  return (
    <div className={styles['tally']}>
      <h2>{props.title}</h2>
      <dl>
        <div>
          <dt>{text('ui.list.stats.month', { month: name(0) })}</dt>
          <dd>{figure(figures?.current)}</dd>
        </div>
        <div>
          <dt>{text('ui.list.stats.month', { month: name(1) })}</dt>
          <dd>{figure(figures?.previous)}</dd>
        </div>
        <div>
          <dt>{text('ui.list.stats.total')}</dt>
          <dd>{figure(figures?.total)}</dd>
        </div>
      </dl>
    </div>
  )
}

function ByUser({ data }: { data: Read }): ReactNode {
  const text = useText()
  const { figure, name } = useFigures(data.month)
  return (
    <details className={styles['byUser']}>
      <summary>{text('ui.list.stats.by_user')}</summary>
      <div className={styles['byUserTable']}>
        <table>
          <thead>
            <tr>
              <th scope="col">{text('ui.list.stats.user')}</th>
              <th scope="col">{name(0)}</th>
              <th scope="col">{name(1)}</th>
              <th scope="col">{text('ui.list.stats.total')}</th>
            </tr>
          </thead>
          <tbody>
            {data.users.map((user) => (
              <tr key={user.id}>
                <th scope="row">{visible(user.name === '' ? user.id : user.name)}</th>
                <td>{figure(user.current)}</td>
                <td>{figure(user.previous)}</td>
                <td>{figure(user.total)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}
