import { Button } from '@mantine/core'
import { useId, useState, type ReactNode } from 'react'
import { Dialog } from '../../../../../ui/controls/Dialog.tsx'
import { useText } from '../../../../../ui/intl/text.tsx'
import { focusedFirst } from './form-words.ts'
import styles from './dialogs.module.css'

const longest = 1_000_000

/** D-06, V-28. What was typed is kept until it has gone or the visitor has cleared it. */
export function PasteDialog(props: { open: boolean; onPaste: (text: string) => void; onClose: () => void }): ReactNode {
  const text = useText()
  const field = useId()
  const [value, setValue] = useState('')
  const [missing, setMissing] = useState(false)
  return (
    <Dialog open={props.open} onClose={props.onClose} title={text('live.paste.title')}>
      <form
        className={styles['form']}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (value === '') {
            setMissing(true)
            document.getElementById(field)?.focus()
            return
          }
          props.onPaste(value)
          setValue('')
        }}
      >
        <p>{text('live.paste.lead')}</p>
        <label htmlFor={field}>{text('live.paste.label')}</label>
        <textarea
          ref={focusedFirst}
          id={field}
          rows={5}
          maxLength={longest}
          value={value}
          spellCheck={false}
          aria-invalid={missing}
          aria-describedby={`${field}-error`}
          onChange={(event) => {
            setValue(event.target.value)
            setMissing(false)
          }}
        />
        <p id={`${field}-error`} className={styles['error']} role="alert">
          {missing ? text('live.paste.required') : ''}
        </p>
        <div className={styles['actions']}>
          <Button variant="default" size="md" onClick={props.onClose}>
            {text('live.cancel')}
          </Button>
          <Button type="submit" size="md">
            {text('live.paste.submit')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** H-45: shown to nobody here, masked in every picture there, in no piece of the evidence; forgotten by this page at once. */
export function SecretDialog(props: { open: boolean; onPaste: (text: string) => void; onClose: () => void }): ReactNode {
  const text = useText()
  const field = useId()
  const [missing, setMissing] = useState(false)
  return (
    <Dialog open={props.open} onClose={props.onClose} title={text('live.secret.title')}>
      <form
        className={styles['form']}
        noValidate
        autoComplete="off"
        onSubmit={(event) => {
          event.preventDefault()
          const input = document.getElementById(field)
          if (!(input instanceof HTMLInputElement)) return
          if (input.value === '') {
            setMissing(true)
            input.focus()
            return
          }
          const secret = input.value
          // Held by no state of the page: once it has gone, it is nowhere here.
          input.value = ''
          props.onPaste(secret)
        }}
      >
        <p>{text('live.secret.lead')}</p>
        <label htmlFor={field}>{text('live.secret.label')}</label>
        <input
          ref={focusedFirst}
          id={field}
          type="password"
          autoComplete="off"
          maxLength={10_000}
          data-1p-ignore=""
          data-lpignore="true"
          aria-invalid={missing}
          aria-describedby={`${field}-error`}
          onChange={() => setMissing(false)}
        />
        <p id={`${field}-error`} className={styles['error']} role="alert">
          {missing ? text('live.paste.required') : ''}
        </p>
        <div className={styles['actions']}>
          <Button variant="default" size="md" onClick={props.onClose}>
            {text('live.cancel')}
          </Button>
          <Button type="submit" size="md">
            {text('live.secret.submit')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
