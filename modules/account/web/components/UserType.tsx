import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { call } from '../../../../ui/api/call.ts'
import { keepAnswer } from '../../../../ui/api/keep-answer.ts'
import { ConfirmDialog } from '../../../../ui/controls/ConfirmDialog.tsx'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { useText } from '../../../../ui/intl/text.tsx'
import { changeProfile } from '../../contract/endpoints.ts'
import type { CurrentUser } from '../../contract/profile.ts'
import { userTypes } from '../../domain/profile.ts'
import { currentUserQuery } from '../current-user.ts'
import { CardForm } from './CardForm.tsx'
import styles from '../account-pages.module.css'

/** E-03: asked once, and never again. */
export function UserType(props: { user: CurrentUser }): ReactNode {
  const text = useText()
  const errorText = useErrorText()
  const client = useQueryClient()
  const { user } = props
  const [chosen, setChosen] = useState<(typeof userTypes)[number] | null>(null)
  const [asking, setAsking] = useState(false)
  const [none, setNone] = useState(false)
  const saving = useMutation({
    mutationFn: (type: string) => call(changeProfile, { params: { id: user.id }, body: { user_type: type } }),
    onSuccess: (profile) => {
      keepAnswer<CurrentUser>(client, currentUserQuery.queryKey, (old) => (old === undefined ? old : { ...old, ...profile }))
    },
    onSettled: () => setAsking(false),
  })
  if (user.user_type !== null)
    return (
      <section className={styles['section']}>
        <dl className={styles['facts']}>
          <dt>{text('account.page.field.user_type')}</dt>
          <dd>{text(`account.page.choice.${user.user_type}`)}</dd>
        </dl>
      </section>
    )
  return (
    <section className={styles['section']}>
      <CardForm
        fault={
          saving.isError ? errorText(saving.error) : none && chosen === null ? text('account.page.user_type.required') : null
        }
        submit={text('account.page.user_type.save')}
        busy={false}
        onSubmit={(event) => {
          event.preventDefault()
          setNone(chosen === null)
          setAsking(chosen !== null)
        }}
      >
        <fieldset className={styles['choices']} aria-describedby="user-type-warning">
          <legend>{text('account.page.field.user_type')}</legend>
          {userTypes.map((type) => (
            <label key={type}>
              <input type="radio" name="user_type" value={type} checked={chosen === type} onChange={() => setChosen(type)} />
              {text(`account.page.choice.${type}`)}
            </label>
          ))}
        </fieldset>
        <p id="user-type-warning" className={styles['caution']}>
          {text('account.page.user_type.warning')}
        </p>
      </CardForm>
      <ConfirmDialog
        open={asking}
        title={text('account.page.user_type.confirm', { type: chosen ?? '' })}
        text={text('account.page.user_type.warning')}
        confirm={text('account.page.user_type.save')}
        cancel={text('account.page.cancel')}
        destructive={false}
        busy={saving.isPending}
        onConfirm={() => {
          if (chosen !== null) saving.mutate(chosen)
        }}
        onClose={() => setAsking(false)}
      />
    </section>
  )
}
