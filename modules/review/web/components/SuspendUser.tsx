import { Button } from '@mantine/core'
import { useId, useRef, useState, type ReactNode } from 'react'
import { longestSuspensionReason, suspendUser } from '../../../identity/contract/administration.ts'
import { Dialog } from '../../../../ui/controls/Dialog.tsx'
import { useText } from '../../../../ui/intl/text.tsx'
import styles from '../users.module.css'

/** Nobody is shut out without a reason that stands in the record. */
export function SuspendUser(props: {
  open: boolean
  name: string
  busy: boolean
  onSuspend: (reason: string) => void
  onClose: () => void
}): ReactNode {
  const text = useText()
  return (
    <Dialog open={props.open} onClose={props.onClose} title={`${text('review.page.act.suspend')} – ${props.name}`}>
      <Form {...props} />
    </Dialog>
  )
}

function Form(props: { name: string; busy: boolean; onSuspend: (reason: string) => void; onClose: () => void }): ReactNode {
  const text = useText()
  const id = useId()
  const area = useRef<HTMLTextAreaElement>(null)
  const [wrong, setWrong] = useState(false)
  return (
    <form
      className={styles['text']}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        const given = suspendUser.body.safeParse({ reason: area.current?.value ?? '' })
        setWrong(!given.success)
        if (given.success) props.onSuspend(given.data.reason)
        else area.current?.focus()
      }}
    >
      <p>{text('review.page.act.suspend.text', { name: props.name })}</p>
      <label htmlFor={id}>{text('review.page.act.suspend.reason')}</label>
      <textarea
        ref={area}
        id={id}
        rows={3}
        maxLength={longestSuspensionReason}
        aria-invalid={wrong}
        aria-describedby={`${id}-error`}
      />
      <p id={`${id}-error`} className={styles['fault']} role="alert">
        {wrong ? text('review.page.act.suspend.reason_required') : null}
      </p>
      <div className={styles['dialogActions']}>
        <Button variant="default" size="md" onClick={props.onClose}>
          {text('review.page.cancel')}
        </Button>
        <Button type="submit" color="bad" size="md" loading={props.busy}>
          {text('review.page.act.suspend')}
        </Button>
      </div>
    </form>
  )
}
