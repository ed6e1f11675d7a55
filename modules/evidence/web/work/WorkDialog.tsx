import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Dialog } from '../../../../ui/controls/Dialog.tsx'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import styles from './work-dialog.module.css'

/** H-34: while the device works for what was asked beyond a stranger's share. */
export function WorkDialog({ done, cancel }: { done: number; cancel: () => void }): ReactNode {
  const text = useText()
  const percent = new Intl.NumberFormat(useLocale(), { style: 'percent' }).format(done)
  return (
    <Dialog open onClose={cancel} title={text('evidence.work.heading')}>
      <p>{text('evidence.work.text')}</p>
      <div className={styles['done']}>
        <progress value={done} max={1} aria-label={text('evidence.work.heading')} />
        <span>{text('evidence.work.done', { percent })}</span>
      </div>
      <Button variant="default" size="md" onClick={cancel}>
        {text('evidence.work.cancel')}
      </Button>
    </Dialog>
  )
}
