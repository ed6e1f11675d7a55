import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { ApiError } from '../../../../ui/api/api-error.ts'
import { call } from '../../../../ui/api/call.ts'
import { Loaded } from '../../../../ui/controls/ReferencePage.tsx'
import { showFieldErrors, useZodForm } from '../../../../ui/forms/use-zod-form.ts'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { formatInstant } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { notify } from '../../../../ui/shell/notify.ts'
import { inviteMember, withdrawInvitation } from '../../contract/endpoints.ts'
import type { Group, Invitation } from '../../contract/sharing.ts'
import { grantedRoles, type GrantedRole } from '../../domain/group.ts'
import { useFieldText } from '../field-text.ts'
import { groupQuery, invitationsQuery, usualPage } from '../queries.ts'
import { CardForm } from './CardForm.tsx'
import { Pages } from './Pages.tsx'
import { EmailLine, TypedLine } from './TypedLine.tsx'
import styles from '../account-pages.module.css'

/** Of the form that invites. */
export const inviteId = 'invite'

const keys = [groupQuery.queryKey, ['group-invitations']] as const

/** D-02: those who may still join; with every seat taken, that is what is said. */
export function Invitations(props: { group: Group }): ReactNode {
  const text = useText()
  const [page, setPage] = useState(1)
  const invitations = useQuery(invitationsQuery(page))
  return (
    <section className={styles['section']}>
      <h3>{text('account.page.invitations')}</h3>
      <Loaded query={invitations} loading={text('ui.loading')} failed={text('account.page.users.failed')}>
        {({ count, results }) =>
          count === 0 ? (
            <p className={styles['soft']}>{text('account.page.invitations.none')}</p>
          ) : (
            <>
              <ul className={styles['list']}>
                {results.map((each) => (
                  <Row key={each.id} invitation={each} />
                ))}
              </ul>
              <Pages count={count} size={usualPage} page={page} onPage={setPage} />
            </>
          )
        }
      </Loaded>
      <InviteForm group={props.group} />
    </section>
  )
}

function Row(props: { invitation: Invitation }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const errorText = useErrorText()
  const client = useQueryClient()
  const { invitation } = props
  const withdrawing = useMutation({
    mutationFn: () => call(withdrawInvitation, { params: { id: invitation.id } }),
    onSuccess: () => notify('success', text('account.page.invitations.withdrawn'), text('ui.notice.dismiss')),
    onError: (error) => notify('error', errorText(error), text('ui.notice.dismiss')),
    onSettled: () => Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey }))),
  })
  return (
    <li className={styles['row']}>
      <div className={styles['what']}>
        <strong>{visible(invitation.email)}</strong> – {text(`account.page.role.${invitation.role}`)}
        <br />
        {text('account.page.until', { date: formatInstant(invitation.expires_at, locale) })}
      </div>
      <div className={styles['actions']}>
        <Button
          variant="default"
          aria-label={`${text('account.page.invitations.withdraw')} – ${visible(invitation.email)}`}
          loading={withdrawing.isPending}
          onClick={() => withdrawing.mutate()}
        >
          {text('account.page.invitations.withdraw')}
        </Button>
      </div>
    </li>
  )
}

type Values = { email: string; role: GrantedRole }
const empty: Values = { email: '', role: 'member' }

function InviteForm(props: { group: Group }): ReactNode {
  const text = useText()
  const fieldText = useFieldText()
  const errorText = useErrorText()
  const client = useQueryClient()
  const form = useZodForm<Values>((values) => inviteMember.body.safeParse(values), empty)
  const inviting = useMutation({
    mutationFn: (body: Values) => call(inviteMember, { body }),
    onSuccess: ({ email }) => {
      form.reset(empty)
      notify('success', text('account.page.invitations.sent', { email: visible(email) }), text('ui.notice.dismiss'))
    },
    onError: (error) => showFieldErrors(form, error),
    onSettled: () => Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey }))),
  })
  const { errors } = form.formState
  const full = inviting.error instanceof ApiError && inviting.error.code === 'account.seats_full'
  const shown = inviting.error === null || Object.keys(errors).length > 0 ? null : inviting.error
  return (
    <CardForm
      id={inviteId}
      aria-label={text('account.page.invitations.invite')}
      fault={shown === null ? null : full ? `${errorText(shown)} ${text('account.page.invitations.full')}` : errorText(shown)}
      submit={text('account.page.invitations.invite')}
      busy={inviting.isPending}
      onSubmit={(event) => void form.handleSubmit(() => inviting.mutate(form.getValues()))(event)}
    >
      <div className={styles['fields']}>
        <EmailLine
          registered={form.register('email')}
          label={text('account.page.invitations.email')}
          error={fieldText(errors.email)}
        />
        <TypedLine
          registered={form.register('role')}
          label={text('account.page.users.role')}
          error={fieldText(errors.role)}
          options={grantedRoles
            .filter((role) => role === 'member' || props.group.role === 'owner')
            .toReversed()
            .map((role) => [role, text(`account.page.role.${role}`)])}
        />
      </div>
    </CardForm>
  )
}
