import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Dialog } from '../controls/Dialog.tsx'
import { useLocale, useText, type MessageId } from '../intl/text.tsx'
import styles from './work-dialog.module.css'

/** While the device works for what a stranger asks for. */
export function WorkDialog({ done, why, cancel }: { done: number; why: MessageId; cancel: () => void }): ReactNode {
  const text = useText()
  const percent = new Intl.NumberFormat(useLocale(), { style: 'percent' }).format(done)
  return (
    <Dialog open onClose={cancel} title={text('ui.work.heading')}>
      <p>{text(why)}</p>
      <div className={styles['done']}>
        <progress value={done} max={1} aria-label={text('ui.work.heading')} />
        <span>{text('ui.work.done', { percent })}</span>
      </div>
      <Button variant="default" size="md" onClick={cancel}>
        {text('ui.work.cancel')}
      </Button>
    </Dialog>
  )
}
