import { useState, type ReactNode } from 'react'
import { useText } from '../../../../ui/intl/text.tsx'
import { Field, focusOn, FormDialog } from './FormDialog.tsx'
import { focusedFirst, wordsOf } from './form-words.ts'

const longest = 1_000_000
const longestSecret = 10_000

/** D-06, V-28. What was typed is kept until it has gone or the visitor has cleared it. */
export function PasteDialog(props: { open: boolean; onPaste: (text: string) => void; onClose: () => void }): ReactNode {
  const text = useText()
  const [value, setValue] = useState('')
  const [missing, setMissing] = useState(false)
  return (
    <FormDialog
      open={props.open}
      title={text('live.paste.title')}
      lead={text('live.paste.lead')}
      submit={text('live.paste.submit')}
      onClose={props.onClose}
      onSubmit={(form) => {
        if (value === '') {
          setMissing(true)
          focusOn(form, 'text')
          return
        }
        props.onPaste(value)
        setValue('')
      }}
    >
      <Field label={text('live.paste.label')} flaw={missing ? text('live.paste.required') : null}>
        {(names) => (
          <textarea
            {...names}
            ref={focusedFirst}
            name="text"
            rows={5}
            maxLength={longest}
            value={value}
            spellCheck={false}
            onChange={(event) => {
              setValue(event.target.value)
              setMissing(false)
            }}
          />
        )}
      </Field>
    </FormDialog>
  )
}

/** H-45: shown to nobody here, masked in every picture there, in no piece of the evidence; forgotten by this page at once. */
export function SecretDialog(props: { open: boolean; onPaste: (text: string) => void; onClose: () => void }): ReactNode {
  const text = useText()
  const [missing, setMissing] = useState(false)
  return (
    <FormDialog
      open={props.open}
      title={text('live.secret.title')}
      lead={text('live.secret.lead')}
      submit={text('live.secret.submit')}
      onClose={props.onClose}
      onSubmit={(form) => {
        const secret = wordsOf(new FormData(form), 'secret')
        if (secret === '') {
          setMissing(true)
          focusOn(form, 'secret')
          return
        }
        // Held by no state of the page: once it has gone, it is nowhere here.
        form.reset()
        props.onPaste(secret)
      }}
    >
      <Field label={text('live.secret.label')} flaw={missing ? text('live.paste.required') : null}>
        {(names) => (
          <input
            {...names}
            ref={focusedFirst}
            name="secret"
            type="password"
            autoComplete="off"
            maxLength={longestSecret}
            data-1p-ignore=""
            data-lpignore="true"
            onChange={() => setMissing(false)}
          />
        )}
      </Field>
    </FormDialog>
  )
}
