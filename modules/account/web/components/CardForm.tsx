import { Button } from '@mantine/core'
import type { FormHTMLAttributes, ReactNode } from 'react'
import styles from '../account-pages.module.css'

/** A form in a card of its own, which is sent as a whole: its fields, why it was refused, and the button that sends it. */
export function CardForm(
  props: Pick<FormHTMLAttributes<HTMLFormElement>, 'id' | 'aria-label' | 'aria-labelledby' | 'onSubmit'> & {
    /** null: it was not. */
    fault: string | null
    submit: string
    busy: boolean
    /** Beside the button. */
    more?: ReactNode
    children: ReactNode
  },
): ReactNode {
  const { fault, submit, busy, more, children, ...form } = props
  return (
    <form {...form} className={`${styles['form']} ${styles['card']}`} noValidate>
      {children}
      <p className={styles['fault']} role="alert">
        {fault}
      </p>
      <div className={styles['actions']}>
        <Button type="submit" size="md" loading={busy}>
          {submit}
        </Button>
        {more}
      </div>
    </form>
  )
}
