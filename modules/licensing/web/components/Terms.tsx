import type { ReactNode } from 'react'
import { useOptionalText, useText } from '../../../../ui/intl/text.tsx'
import { clauses } from '../../domain/terms.ts'
import styles from './licensing.module.css'

/** The text of the licence, as its document will have it. @param props.version of it */
export function Terms(props: { version: string }): ReactNode {
  const text = useText()
  const optionalText = useOptionalText()
  return (
    <details open>
      <summary>{text('licensing.page.terms')}</summary>
      <ol className={styles['terms']}>
        {clauses.map((clause) => (
          <li key={clause}>{optionalText(`licensing.terms.${props.version}.${clause}`)}</li>
        ))}
      </ol>
    </details>
  )
}
