import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSession } from '../../../../ui/api/session.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import type { Evidence } from '../../contract/evidence.ts'
import styles from './result.module.css'

/** H-25: the way to a letter of its owner’s on this report. */
export function GiveNotice({ evidence }: { evidence: Evidence }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const session = useSession()
  if (session === null || evidence.owner === null) return null
  return (
    <section className={styles['section']} aria-labelledby="notice-heading">
      <h2 id="notice-heading">{text('evidence.dispute.heading')}</h2>
      <p>{text('evidence.dispute.text')}</p>
      <p className={styles['downloads']}>
        <Button
          size="md"
          variant="default"
          renderRoot={(root) => <Link to="/$locale/capture/$id/dispute/" params={{ locale, id: evidence.id }} {...root} />}
        >
          {text('evidence.dispute.action')}
        </Button>
      </p>
    </section>
  )
}
