import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState, type ReactNode } from 'react'
import { call } from '../../../../ui/api/call.ts'
import { keepAnswer } from '../../../../ui/api/keep-answer.ts'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { notify } from '../../../../ui/shell/notify.ts'
import { documentDescription, documentLabel, type Document } from '../../contract/document.ts'
import { changeDocument } from '../../contract/endpoints.ts'
import formStyles from './panels.module.css'
import styles from './deposit.module.css'

/** What its depositor says of it: its reference, by which it is found again, and its description. */
export function Describe(props: { document: Document; manage: boolean }): ReactNode {
  const text = useText()
  const { document } = props
  const [editing, setEditing] = useState(false)
  return (
    <section className={styles['section']} aria-labelledby="described-heading">
      <h2 id="described-heading">{text('document.described')}</h2>
      {editing ? (
        <Form document={document} onClose={() => setEditing(false)} />
      ) : (
        <>
          {document.label === '' ? null : <p>{text('document.described.label', { label: visible(document.label) })}</p>}
          {document.description === '' ? (
            <p className={styles['soft']}>{text('document.described.none')}</p>
          ) : (
            <Lines of={document.description} />
          )}
          {props.manage ? (
            <p>
              <Button variant="default" size="md" onClick={() => setEditing(true)}>
                {text('document.described.change')}
              </Button>
            </p>
          ) : null}
        </>
      )}
    </section>
  )
}

/** A description as it was typed, line by line. */
export function Lines(props: { of: string }): ReactNode {
  return (
    <div className={styles['lines']}>
      {props.of.split(/\r?\n/).map((line, i) => (
        <p key={i}>{visible(line)}</p>
      ))}
    </div>
  )
}

function Form(props: { document: Document; onClose: () => void }): ReactNode {
  const text = useText()
  const errorText = useErrorText()
  const client = useQueryClient()
  const id = useId()
  const { document, onClose } = props
  const [label, setLabel] = useState(document.label)
  const [description, setDescription] = useState(document.description)
  const fits = documentLabel.safeParse(label).success && documentDescription.safeParse(description).success
  const saving = useMutation({
    mutationFn: () =>
      call(changeDocument, { params: { id: document.id }, body: { label: label.trim(), description: description.trim() } }),
    onSuccess: async (changed) => {
      keepAnswer(client, ['document', changed.id], changed)
      notify('success', text('document.described.saved'), text('ui.notice.dismiss'))
      onClose()
      await client.invalidateQueries({ queryKey: ['documents'] })
    },
  })
  return (
    <form
      className={formStyles['form']}
      onSubmit={(event) => {
        event.preventDefault()
        if (fits) saving.mutate()
      }}
    >
      <div className={formStyles['field']}>
        <label htmlFor={`${id}-label`}>{text('document.deposit.label')}</label>
        <input
          id={`${id}-label`}
          value={label}
          maxLength={200}
          autoComplete="off"
          // The button that opened it had the focus.
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          onChange={(event) => setLabel(event.currentTarget.value)}
        />
      </div>
      <div className={formStyles['field']}>
        <label htmlFor={`${id}-description`}>{text('document.deposit.description')}</label>
        <textarea
          id={`${id}-description`}
          rows={4}
          value={description}
          maxLength={2000}
          onChange={(event) => setDescription(event.currentTarget.value)}
        />
      </div>
      <p role="alert">{saving.isError ? errorText(saving.error) : fits ? null : text('document.deposit.label.invalid')}</p>
      <div className={formStyles['buttons']}>
        <Button type="submit" size="md" loading={saving.isPending}>
          {text('document.described.save')}
        </Button>
        <Button variant="default" size="md" onClick={onClose}>
          {text('document.described.cancel')}
        </Button>
      </div>
    </form>
  )
}
