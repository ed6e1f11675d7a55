import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import styles from '../../../../ui/list/rows.module.css'

/** An empty list says what to do next. */
export function NoEvidence(props: { title: string }): ReactNode {
  const text = useText()
  const locale = useLocale()
  return (
    <div className={styles['empty']}>
      <h2>{props.title}</h2>
      <p>{text('evidence.list.empty.text')}</p>
      <p>
        <Button size="md" renderRoot={(root) => <Link to="/$locale/" params={{ locale }} {...root} />}>
          {text('evidence.list.empty.action')}
        </Button>
      </p>
    </div>
  )
}
