import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import styles from './controls.module.css'
import { Dialog } from './Dialog.tsx'

/** Asks before what cannot be undone. */
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
  return (
    <Dialog open={props.open} onClose={props.onClose} title={props.title}>
      <p>{props.text}</p>
      <div className={styles['dialogActions']}>
        <Button variant="default" size="md" onClick={props.onClose}>
          {props.cancel}
        </Button>
        <Button {...(props.destructive ? { color: 'bad' } : {})} size="md" loading={props.busy} onClick={props.onConfirm}>
          {props.confirm}
        </Button>
      </div>
    </Dialog>
  )
}
