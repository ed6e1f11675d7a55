import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useRef, useState, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { call } from '../../../../ui/api/call.ts'
import { useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { notify } from '../../../../ui/shell/notify.ts'
import { changeEvidence } from '../../contract/account-endpoints.ts'
import { evidenceLabel, type Evidence } from '../../contract/evidence.ts'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import styles from '../../../../ui/list/list.module.css'

/** C-28: the reference of a row, changed where it stands. Enter keeps it, Escape leaves it as it was. */
export function LabelEditor(props: { evidence: Evidence; manage: boolean }): ReactNode {
  const text = useText()
  const { evidence } = props
  const [editing, setEditing] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const close = () => {
    // The focus goes back to where it came from, once that is there again.
    flushSync(() => setEditing(false))
    opener.current?.focus()
  }
  if (editing) return <Form evidence={evidence} onClose={close} />
  if (!props.manage) return evidence.label === '' ? null : <p className={styles['label']}>{visible(evidence.label)}</p>
  const words = text(evidence.label === '' ? 'evidence.account.label.add' : 'evidence.account.label.change')
  return (
    <p className={styles['label']}>
      {evidence.label === '' ? null : <span>{visible(evidence.label)}</span>}
      <button
        ref={opener}
        type="button"
        className={styles['edit']}
        aria-label={`${words} – ${evidence.page_url}`}
        onClick={() => setEditing(true)}
      >
        {words}
      </button>
    </p>
  )
}

function Form(props: { evidence: Evidence; onClose: () => void }): ReactNode {
  const text = useText()
  const errorText = useErrorText()
  const client = useQueryClient()
  const id = useId()
  const { evidence, onClose } = props
  const [typed, setTyped] = useState(evidence.label)
  const fits = evidenceLabel.safeParse(typed).success
  const saving = useMutation({
    mutationFn: (label: string) => call(changeEvidence, { params: { id: evidence.id }, body: { label } }),
    onSuccess: async (changed) => {
      client.setQueryData(['evidence', changed.id], changed)
      await client.invalidateQueries({ queryKey: ['evidences'] })
      notify('success', text('evidence.account.label.saved'), text('ui.notice.dismiss'))
      onClose()
    },
  })
  const fault = saving.isError ? errorText(saving.error) : fits ? null : text('evidence.account.label.invalid')
  return (
    <form
      className={styles['labelForm']}
      onSubmit={(event) => {
        event.preventDefault()
        if (typed.trim() === evidence.label) onClose()
        else if (fits) saving.mutate(typed.trim())
      }}
    >
      <label htmlFor={id}>{text('evidence.account.label')}</label>
      <input
        id={id}
        value={typed}
        maxLength={200}
        autoComplete="off"
        // The button that opened it had the focus.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        aria-invalid={fault !== null}
        aria-describedby={`${id}-fault`}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose()
        }}
      />
      <Button type="submit" loading={saving.isPending} mih={44}>
        {text('evidence.account.label.save')}
      </Button>
      <Button variant="default" mih={44} onClick={onClose}>
        {text('evidence.account.label.cancel')}
      </Button>
      <p id={`${id}-fault`} role="alert">
        {fault}
      </p>
    </form>
  )
}
