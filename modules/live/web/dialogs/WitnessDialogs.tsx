import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState, type ReactNode } from 'react'
import { call } from '../../../../ui/api/call.ts'
import { CopyButton } from '../../../../ui/controls/CopyButton.tsx'
import { Dialog } from '../../../../ui/controls/Dialog.tsx'
import { QrCode } from '../../../../ui/controls/QrCode.tsx'
import { useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { inviteWitness, listWitnesses, revokeWitness } from '../../contract/endpoints.ts'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { witnessLink } from '../links/hand-off.ts'
import type { LiveSession } from '../session/live-session.ts'
import type { LiveView } from '../session/live-view.ts'
import { Field, focusOn, FormDialog } from './FormDialog.tsx'
import { focusedFirst, wordsOf } from './form-words.ts'
import styles from './dialogs.module.css'

const longestLabel = 80

/** Who may look on, who does, and the end of an invitation. A link is shown once: the server keeps its hash alone. */
export function WitnessesDialog(props: {
  open: boolean
  id: string
  token: string | null
  page: string
  view: LiveView
  onClose: () => void
}): ReactNode {
  const text = useText()
  const errorText = useErrorText()
  const field = useId()
  const client = useQueryClient()
  const [label, setLabel] = useState('')
  const [missing, setMissing] = useState(false)
  const access = { params: { id: props.id }, evidenceToken: props.token }
  const queryKey = ['live-witnesses', props.id]
  const list = useQuery({ queryKey, queryFn: ({ signal }) => call(listWitnesses, { ...access, signal }), enabled: props.open })
  const again = () => void client.invalidateQueries({ queryKey })
  const invitation = useMutation({
    mutationFn: () => call(inviteWitness, { ...access, body: { label: label.trim() } }),
    onSuccess: () => {
      setLabel('')
      again()
    },
  })
  const end = useMutation({
    mutationFn: (witness: string) => call(revokeWitness, { params: { id: props.id, witness }, evidenceToken: props.token }),
    onSuccess: again,
  })
  const made = invitation.data
  const link = made === undefined ? null : witnessLink(props.page, made.token)
  const watching = new Set(props.view.viewers?.witnesses)
  const failure = invitation.error ?? end.error ?? list.error
  return (
    <Dialog open={props.open} onClose={props.onClose} title={text('live.witnesses.title')}>
      <div className={styles['form']}>
        <p>{text('live.witnesses.lead')}</p>
        <form
          className={styles['row']}
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            if (label.trim() === '') setMissing(true)
            else invitation.mutate()
          }}
        >
          <label htmlFor={field}>{text('live.witnesses.label')}</label>
          <input
            ref={focusedFirst}
            id={field}
            type="text"
            maxLength={longestLabel}
            autoComplete="off"
            value={label}
            aria-invalid={missing}
            aria-describedby={`${field}-error`}
            onChange={(event) => {
              setLabel(event.target.value)
              setMissing(false)
            }}
          />
          <Button type="submit" size="md" loading={invitation.isPending}>
            {text('live.witnesses.invite')}
          </Button>
        </form>
        <p id={`${field}-error`} className={styles['error']} role="alert">
          {missing ? text('live.witnesses.required') : failure === null ? '' : errorText(failure)}
        </p>
        {link === null || made === undefined ? null : (
          <section className={styles['made']} aria-label={text('live.witnesses.link_for', { label: made.witness.label })}>
            <h3>{text('live.witnesses.link_for', { label: visible(made.witness.label) })}</h3>
            <QrCode link={link} label={text('live.witnesses.qr', { label: made.witness.label })} />
            <div className={styles['link']}>
              <code>{link.replace(/=.*$/, '=…')}</code>
              <CopyButton value={link} what={text('live.witnesses.link')} />
            </div>
            <p className={styles['quiet']}>{text('live.witnesses.once')}</p>
          </section>
        )}
        {list.data === undefined || list.data.witnesses.length === 0 ? null : (
          <ul className={styles['people']} aria-label={text('live.witnesses.invited')}>
            {list.data.witnesses.map((witness) => (
              <li key={witness.id}>
                <bdi>{visible(witness.label)}</bdi>
                <span className={styles['quiet']}>
                  {witness.revoked_at !== null
                    ? text('live.witnesses.state.revoked')
                    : watching.has(witness.label)
                      ? text('live.witnesses.state.watching')
                      : text('live.witnesses.state.away')}
                </span>
                {witness.revoked_at === null ? (
                  <Button
                    variant="default"
                    size="compact-md"
                    mih={44}
                    aria-label={text('live.witnesses.revoke', { label: witness.label })}
                    loading={end.isPending && end.variables === witness.id}
                    onClick={() => end.mutate(witness.id)}
                  >
                    {text('live.witnesses.revoke.short')}
                  </Button>
                ) : null}
              </li>
            ))}
          </ul>
        )}
        <div className={styles['actions']}>
          <Button variant="default" size="md" onClick={props.onClose}>
            {text('ui.close')}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

/** The witness confirms in his own words, under his own name, what he saw; both stand in the package. */
export function CountersignDialog(props: { open: boolean; session: LiveSession; onClose: () => void }): ReactNode {
  const text = useText()
  const [missing, setMissing] = useState<readonly string[]>([])
  const flawOf = (name: 'name' | 'statement') => (missing.includes(name) ? text(`live.countersign.${name}.required`) : null)
  return (
    <FormDialog
      open={props.open}
      title={text('live.countersign.title')}
      lead={text('live.countersign.lead')}
      submit={text('live.countersign.submit')}
      onClose={props.onClose}
      onSubmit={(form) => {
        const data = new FormData(form)
        const given = { name: wordsOf(data, 'name').trim(), statement: wordsOf(data, 'statement').trim() }
        const empty = Object.entries(given)
          .filter(([, value]) => value === '')
          .map(([key]) => key)
        setMissing(empty)
        if (empty[0] !== undefined) focusOn(form, empty[0])
        else if (props.session.send({ type: 'countersign', ...given })) props.onClose()
      }}
    >
      <Field label={text('live.countersign.name')} flaw={flawOf('name')}>
        {(names) => <input {...names} ref={focusedFirst} name="name" type="text" autoComplete="name" maxLength={200} />}
      </Field>
      <Field label={text('live.countersign.statement')} flaw={flawOf('statement')}>
        {(names) => (
          <textarea
            {...names}
            name="statement"
            rows={4}
            maxLength={2000}
            defaultValue={text('live.countersign.statement.proposed')}
          />
        )}
      </Field>
    </FormDialog>
  )
}
