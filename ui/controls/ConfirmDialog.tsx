import { Button, Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { useText } from '../intl/text.tsx'
import styles from './controls.module.css'

/** Asks before what cannot be undone. The harmless answer has the focus first. */
export function ConfirmDialog(props: {
  open: boolean
  title: string
  text: string
  confirm: string
  cancel: string
  destructive: boolean
  busy: boolean
  onConfirm: () => void
  onClose: () => void
}): ReactNode {
  const text = useText()
  return (
    <Modal
      opened={props.open}
      onClose={props.onClose}
      title={props.title}
      centered
      closeButtonProps={{ 'aria-label': text('ui.close'), size: 44 }}
    >
      <p>{props.text}</p>
      <div className={styles['dialogActions']}>
        <Button variant="default" size="md" onClick={props.onClose} data-autofocus>
          {props.cancel}
        </Button>
        <Button {...(props.destructive ? { color: 'bad' } : {})} size="md" loading={props.busy} onClick={props.onConfirm}>
          {props.confirm}
        </Button>
      </div>
    </Modal>
  )
}
