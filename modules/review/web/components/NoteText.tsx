import type { ReactNode } from 'react'
import { useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import styles from '../identity-documents.module.css'

/** What a reviewer wrote, line by line; what would reverse or hide characters is made visible. */
export function NoteText(props: { note: string }): ReactNode {
  return <blockquote className={styles['quote']}>{props.note.split(/\r?\n/).map(visible).join('\n')}</blockquote>
}

export function ReviewersNote(props: { note: string }): ReactNode {
  const text = useText()
  return (
    <figure className={styles['note']}>
      <figcaption>{text('review.page.note.from')}</figcaption>
      <NoteText note={props.note} />
    </figure>
  )
}
