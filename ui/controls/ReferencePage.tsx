import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useText } from '../intl/text.tsx'
import { withWholeNames } from '../intl/whole.tsx'
import { CopyButton } from './CopyButton.tsx'
import styles from './reference-page.module.css'

/** A page in which something is looked up: what it is about, then its sections. */
export function ReferencePage(props: {
  title: string
  lead: readonly string[]
  /** Of what state it is. */
  note?: string | undefined
  children: ReactNode
}): ReactNode {
  return (
    <div className={styles['page']}>
      <header className={styles['section']}>
        <h1>{props.title}</h1>
        {props.lead.map((each) => (
          <p key={each} className={styles['lead']}>
            {withWholeNames(each)}
          </p>
        ))}
        {props.note === undefined ? null : <p className={styles['soft']}>{withWholeNames(props.note)}</p>}
      </header>
      {props.children}
    </div>
  )
}

/** @param props.why what the reader gains by what stands here. */
export function ReferenceSection(props: { title: string; why?: string; children: ReactNode }): ReactNode {
  return (
    <section className={styles['section']}>
      <h2>{props.title}</h2>
      {props.why === undefined ? null : <p className={styles['soft']}>{withWholeNames(props.why)}</p>}
      {props.children}
    </section>
  )
}

/** What is loaded from the server, or that it is not there yet, or could not be read and may be asked for again. */
export function Loaded<T>(props: {
  query: { readonly data: T | undefined; readonly isError: boolean; readonly refetch: () => unknown }
  loading: string
  failed: string
  children: (data: T) => ReactNode
}): ReactNode {
  const text = useText()
  const { data, isError, refetch } = props.query
  return (
    <>
      {data === undefined && !isError ? (
        <p role="status" className={styles['awaited']}>
          {props.loading}
        </p>
      ) : null}
      {isError ? (
        <div role="alert">
          <p>{props.failed}</p>
          <Button variant="default" onClick={() => void refetch()}>
            {text('ui.retry')}
          </Button>
        </div>
      ) : null}
      {data === undefined ? null : props.children(data)}
    </>
  )
}

/** A key or a digest, to be compared or taken along. */
export function CopiedValue(props: { shown: string; value: string; what: string }): ReactNode {
  return (
    <span className={styles['value']}>
      <code>{props.shown}</code>
      <CopyButton value={props.value} what={props.what} />
    </span>
  )
}
