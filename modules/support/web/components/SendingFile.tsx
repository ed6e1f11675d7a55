import type { ReactNode } from 'react'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { showUnseen } from '../../../../ui/intl/visible.ts'
import type { Sending } from '../send-attachments.ts'
import styles from '../support.module.css'

/** How far the file is that is on its way; nothing where none is. */
export function SendingFile({ sending }: { sending: Sending | null }): ReactNode {
  const text = useText()
  const locale = useLocale()
  if (sending === null) return null
  const percent = new Intl.NumberFormat(locale, { style: 'percent' }).format(sending.share)
  const words = text('support.page.sending_file', { name: showUnseen(sending.name), percent })
  return (
    <div className={styles['sending']}>
      <progress value={sending.share} max={1} aria-label={words} />
      <span>{words}</span>
    </div>
  )
}
