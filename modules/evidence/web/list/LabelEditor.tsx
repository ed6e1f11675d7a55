import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState, type ReactNode } from 'react'
import { call } from '../../../../ui/api/call.ts'
import { keepAnswer } from '../../../../ui/api/keep-answer.ts'
import { useText } from '../../../../ui/intl/text.tsx'
import { notify } from '../../../../ui/shell/notify.ts'
import { changeEvidence } from '../../contract/account-endpoints.ts'
import { evidenceLabel, type Evidence } from '../../contract/evidence.ts'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import styles from '../../../../ui/list/list.module.css'

/** C-28: the reference of a row, changed where it stands. Enter keeps it, Escape leaves it as it was. */
export function LabelEditor(props: { evidence: Evidence; onClose: () => void }): ReactNode {
  const text = useText()
  const errorText = useErrorText()
  const client = useQueryClient()
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  // The menu that opened it gives the focus back as it closes: this comes after.
  useEffect(() => field.current?.focus(), [])
  const { evidence, onClose } = props
  const [typed, setTyped] = useState(evidence.label)
  const fits = evidenceLabel.safeParse(typed).success
  const saving = useMutation({
    mutationFn: (label: string) => call(changeEvidence, { params: { id: evidence.id }, body: { label } }),
    onSuccess: async (changed) => {
      keepAnswer(client, ['evidence', changed.id], changed)
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
        ref={field}
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
