import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Dialog } from '../../../../ui/controls/Dialog.tsx'
import { useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import type { AdminUser } from '../../contract/review.ts'
import { refusesWhole, type Verdict } from '../decision.ts'
import styles from '../users.module.css'
import { NoteText } from './NoteText.tsx'

/** What the person will read, before it is sent: a mail cannot be taken back. Enter sends, Escape goes back. */
export function ConfirmDecision(props: {
  user: AdminUser
  verdict: Verdict | null
  busy: boolean
  onConfirm: () => void
  onClose: () => void
}): ReactNode {
  const text = useText()
  const { user, verdict } = props
  return (
    <Dialog
      open={verdict !== null}
      onClose={props.onClose}
      title={
        verdict === null
          ? ''
          : text(refusesWhole(verdict) ? 'review.page.confirm.refuse' : 'review.page.confirm.accept', {
              name: visible(`${user.first_name} ${user.last_name}`),
            })
      }
    >
      {verdict === null ? null : <Summary {...props} verdict={verdict} />}
    </Dialog>
  )
}

/** By its attribute, which a dialog heeds when it opens; `autoFocus` would come before, and the way out get the focus instead. */
const focusFirst = (button: HTMLButtonElement | null) => button?.setAttribute('autofocus', '')

function Summary(props: {
  user: AdminUser
  verdict: Verdict
  busy: boolean
  onConfirm: () => void
  onClose: () => void
}): ReactNode {
  const text = useText()
  const { user, verdict } = props
  const kindOf = (id: string) => user.file?.documents.find((document) => document.id === id)?.kind ?? null
  return (
    <>
      <ul className={styles['summary']}>
        {verdict.decisions.map((decision) => {
          const kind = kindOf(decision.document_id)
          return (
            <li key={decision.document_id} data-tone={decision.outcome === 'accepted' ? 'good' : 'bad'}>
              <strong>{kind === null ? decision.document_id : text(`review.page.kind.${kind}`)}</strong> –{' '}
              {text(`review.page.outcome.${decision.outcome}`)}
              {decision.outcome === 'refused' ? ` – ${text(`review.page.reason.${decision.reason}`)}` : null}
              {decision.outcome === 'refused' && decision.note !== undefined ? <NoteText note={decision.note} /> : null}
              {decision.outcome === 'accepted' && typeof decision.expires_on === 'string'
                ? ` – ${text('review.page.good_until', { date: decision.expires_on })}`
                : null}
            </li>
          )
        })}
        {(verdict.missing ?? []).map((kind) => (
          <li key={kind} data-tone="bad">
            <strong>{text(`review.page.kind.${kind}`)}</strong> – {text('review.page.confirm.missing')}
          </li>
        ))}
      </ul>
      {verdict.note === undefined ? null : <NoteText note={verdict.note} />}
      <p className={styles['soft']}>{text('review.page.confirm.mail', { language: user.locale })}</p>
      <div className={styles['dialogActions']}>
        <Button variant="default" size="md" onClick={props.onClose}>
          {text('review.page.confirm.back')}
        </Button>
        <Button ref={focusFirst} size="md" loading={props.busy} onClick={props.onConfirm}>
          {text('review.page.confirm.send')}
        </Button>
      </div>
    </>
  )
}
