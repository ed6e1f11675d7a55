import { Button } from '@mantine/core'
import { useId, type ReactNode } from 'react'
import { Dialog } from '../../../../ui/controls/Dialog.tsx'
import { useText } from '../../../../ui/intl/text.tsx'
import styles from './dialogs.module.css'

/** A question of the session: a few words, fields, and two ways out. What is wrong with a field is said at the field. */
export function FormDialog(props: {
  open: boolean
  title: string
  lead: ReactNode
  submit: string
  /** Of the way out that does nothing; `live.cancel` without. */
  decline?: string
  /** Whether it can be sent. */
  ready?: boolean
  onSubmit: (form: HTMLFormElement) => void
  onClose: () => void
  children: ReactNode
}): ReactNode {
  const text = useText()
  return (
    <Dialog open={props.open} onClose={props.onClose} title={props.title}>
      <form
        className={styles['form']}
        noValidate
        autoComplete="off"
        onSubmit={(event) => {
          event.preventDefault()
          if (props.ready !== false) props.onSubmit(event.currentTarget)
        }}
      >
        <p>{props.lead}</p>
        {props.children}
        <div className={styles['actions']}>
          <Button variant="default" size="md" onClick={props.onClose}>
            {props.decline ?? text('live.cancel')}
          </Button>
          <Button type="submit" size="md" disabled={props.ready === false}>
            {props.submit}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** What ties a field to its label and to what is wrong with it. */
type FieldNames = { readonly id: string; readonly 'aria-invalid': boolean; readonly 'aria-describedby': string }

export function Field(props: { label: string; flaw: string | null; children: (names: FieldNames) => ReactNode }): ReactNode {
  const id = useId()
  return (
    <>
      <label htmlFor={id}>{props.label}</label>
      {props.children({ id, 'aria-invalid': props.flaw !== null, 'aria-describedby': `${id}-flaw` })}
      <p id={`${id}-flaw`} className={styles['error']} role="alert">
        {props.flaw}
      </p>
    </>
  )
}

/** Leads to the field that is to be filled in. */
export function focusOn(form: HTMLFormElement, name: string): void {
  const field = form.elements.namedItem(name)
  if (field instanceof HTMLElement) field.focus()
}
