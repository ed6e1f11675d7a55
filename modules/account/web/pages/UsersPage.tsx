import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ComponentType, ReactNode } from 'react'
import { z } from 'zod'
import { ApiError } from '../../../../ui/api/api-error.ts'
import { call } from '../../../../ui/api/call.ts'
import { keepAnswer } from '../../../../ui/api/keep-answer.ts'
import { Loaded } from '../../../../ui/controls/ReferencePage.tsx'
import { showFieldErrors, useZodForm } from '../../../../ui/forms/use-zod-form.ts'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { notify } from '../../../../ui/shell/notify.ts'
import { createGroup, renameGroup } from '../../contract/endpoints.ts'
import { groupNameField, type Group } from '../../contract/sharing.ts'
import { manages } from '../../domain/group.ts'
import { GroupMembers } from '../components/GroupMembers.tsx'
import { GroupReports } from '../components/GroupReports.tsx'
import { Invitations } from '../components/Invitations.tsx'
import { LeaveGroup } from '../components/LeaveGroup.tsx'
import { TypedLine } from '../components/TypedLine.tsx'
import { useFieldText } from '../field-text.ts'
import { currentUserQuery } from '../current-user.ts'
import { groupQuery } from '../queries.ts'
import styles from '../account-pages.module.css'

/**
 * H-23, E-64, P-08: the group of a company, who is in it, and who is invited.
 * @param props.Spending what a member may spend, where something is paid for
 */
export function UsersPage(props: { Spending?: ComponentType<{ id: string }> }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const user = useQuery(currentUserQuery)
  // Who has none is known from his profile: the group itself would answer that there is none, which a browser shows as an error.
  const hasOne = user.data !== undefined && user.data.group !== null
  const group = useQuery({ ...groupQuery, enabled: user.isError || hasOne })
  const none =
    // One that was just made is known before the profile says so.
    (user.data?.group === null && user.dataUpdatedAt >= group.dataUpdatedAt) ||
    (group.error instanceof ApiError && group.error.code === 'account.group_none')
  if (none)
    return (
      <section className={styles['section']}>
        <p className={styles['soft']}>{text('account.page.users.lead')}</p>
        {user.data === undefined ? (
          <p role="status">{text('ui.loading')}</p>
        ) : user.data.user_type === 'legal' ? (
          <NameForm name="" />
        ) : (
          <>
            <p>{text('account.page.users.needs_legal')}</p>
            <p>
              <Link to="/$locale/account/$/" params={{ locale, _splat: 'profile' }}>
                {text('account.page.users.to_profile')}
              </Link>
            </p>
          </>
        )}
      </section>
    )
  return (
    <Loaded query={group} loading={text('ui.loading')} failed={text('account.page.users.failed')}>
      {(found) => <OwnGroup group={found} Spending={props.Spending} />}
    </Loaded>
  )
}

function OwnGroup(props: { group: Group; Spending: ComponentType<{ id: string }> | undefined }): ReactNode {
  const text = useText()
  const { group } = props
  const managing = manages(group.role)
  return (
    <>
      <section className={styles['section']}>
        <h2>{visible(group.name)}</h2>
        <dl className={styles['facts']}>
          <dt>{text('account.page.users.owner')}</dt>
          <dd>{visible(group.owner.name)}</dd>
          <dt>{text('account.page.users.role')}</dt>
          <dd>{text(`account.page.role.${group.role}`)}</dd>
          <dt>{text('account.page.users.seats')}</dt>
          <dd>{text('account.page.users.seats.taken', group.seats)}</dd>
        </dl>
        <p className={styles['soft']}>{text('account.page.users.shared')}</p>
        {managing ? <NameForm key={group.name} name={group.name} /> : null}
      </section>
      {managing ? <GroupMembers group={group} Spending={props.Spending} /> : null}
      {managing ? <Invitations group={group} /> : null}
      {managing ? <GroupReports /> : null}
      {group.role === 'owner' ? null : <LeaveGroup group={group} />}
    </>
  )
}

const given = z.object({ name: groupNameField })

/** Makes the group, or gives it another name. */
function NameForm(props: { name: string }): ReactNode {
  const text = useText()
  const fieldText = useFieldText()
  const errorText = useErrorText()
  const client = useQueryClient()
  const isNew = props.name === ''
  const form = useZodForm<{ name: string }>((values) => given.safeParse(values), { name: props.name })
  const saving = useMutation({
    mutationFn: (body: { name: string }) => (isNew ? call(createGroup, { body }) : call(renameGroup, { body })),
    onSuccess: (group) => {
      keepAnswer(client, groupQuery.queryKey, group)
      void client.invalidateQueries({ queryKey: groupQuery.queryKey })
      void client.invalidateQueries({ queryKey: currentUserQuery.queryKey })
      notify('success', text(isNew ? 'account.page.users.created' : 'account.page.users.renamed'), text('ui.notice.dismiss'))
    },
    onError: (error) => showFieldErrors(form, error),
  })
  const error = fieldText(form.formState.errors.name)
  return (
    <form
      className={styles['form']}
      noValidate
      onSubmit={(event) => void form.handleSubmit(() => saving.mutate(form.getValues()))(event)}
    >
      <TypedLine registered={form.register('name')} label={text('account.page.users.name')} autoComplete="off" error={error} />
      <p className={styles['fault']} role="alert">
        {saving.isError && error === undefined ? errorText(saving.error) : null}
      </p>
      <div className={styles['actions']}>
        <Button type="submit" size="md" variant={isNew ? 'filled' : 'default'} loading={saving.isPending}>
          {text(isNew ? 'account.page.users.create' : 'account.page.users.rename')}
        </Button>
      </div>
    </form>
  )
}
