import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { Rows } from '../../../../ui/list/Rows.tsx'
import { useMayManage } from '../../../account/web/index.ts'
import { useHiddenNames } from '../outbox/use-hidden-names.ts'
import { DocumentRow } from './DocumentRow.tsx'
import { useDatedLately } from './queries.ts'
import styles from './documents.module.css'

/** What was dated since yesterday stays in sight where it was deposited; below whatever is still pending. */
export function DatedLately(props: { userId: string; instead: ReactNode }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const manage = useMayManage()
  const { data } = useDatedLately()
  const found = data?.results ?? []
  const hidden = useHiddenNames(props.userId, found)
  // Whether there is anything is not known before it was read.
  if (data === undefined) return null
  if (found.length === 0) return props.instead
  return (
    <section className={styles['lately']} aria-labelledby="dated-lately">
      <div>
        <h2 id="dated-lately">{text('document.lately')}</h2>
        <Link to="/$locale/documents/completed/" params={{ locale }}>
          {text('document.lately.all')}
        </Link>
      </div>
      <Rows busy={false}>
        {found.map((document) => (
          <DocumentRow
            key={document.id}
            document={document}
            category="completed"
            userId={props.userId}
            hiddenName={hidden.get(document.id)}
            manage={manage}
            check={null}
            selected={false}
            onDone={() => undefined}
          />
        ))}
      </Rows>
    </section>
  )
}
