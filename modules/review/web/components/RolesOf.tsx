import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { staffRoles, type StaffRole } from '../../../../kernel/actor.ts'
import { changeRolesOf } from '../../../identity/contract/administration.ts'
import { call } from '../../../../ui/api/call.ts'
import { ConfirmDialog } from '../../../../ui/controls/ConfirmDialog.tsx'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { notify } from '../../../../ui/shell/notify.ts'
import type { AdminUser } from '../../contract/review.ts'
import { userQuery } from '../queries.ts'
import styles from '../users.module.css'

/** P-15: which roles of staff somebody has; an administrator changes them. */
export function RolesOf(props: { user: AdminUser }): ReactNode {
  const text = useText()
  const errorText = useErrorText()
  const client = useQueryClient()
  const { user } = props
  const [roles, setRoles] = useState<readonly StaffRole[]>(user.roles)
  const [asking, setAsking] = useState(false)
  const name = visible(`${user.first_name} ${user.last_name}`)
  const same = staffRoles.every((role) => roles.includes(role) === user.roles.includes(role))
  const changing = useMutation({
    mutationFn: () => call(changeRolesOf, { params: { id: user.id }, body: { roles: [...roles] } }),
    onSuccess: async () => {
      notify('success', text('review.page.roles.done', { name }), text('ui.notice.dismiss'))
      await client.invalidateQueries({ queryKey: userQuery(user.id).queryKey })
    },
    onError: (error) => notify('error', errorText(error), text('ui.notice.dismiss')),
    onSettled: () => setAsking(false),
  })
  const wanted = staffRoles.filter((role) => roles.includes(role)).map((role) => text(`review.page.role.${role}`))
  return (
    <form
      className={styles['roles']}
      onSubmit={(event) => {
        event.preventDefault()
        if (!same) setAsking(true)
      }}
    >
      <fieldset className={styles['checks']}>
        <legend>{text('review.page.roles')}</legend>
        {staffRoles.map((role) => (
          <label key={role}>
            <input
              type="checkbox"
              checked={roles.includes(role)}
              onChange={(event) =>
                setRoles(event.currentTarget.checked ? [...roles, role] : roles.filter((each) => each !== role))
              }
            />
            {text(`review.page.role.${role}`)}
          </label>
        ))}
      </fieldset>
      <div className={styles['actions']}>
        <Button type="submit" variant="default" disabled={same}>
          {text('review.page.roles.save')}
        </Button>
      </div>
      <ConfirmDialog
        open={asking}
        title={`${text('review.page.roles.save')} – ${name}`}
        text={text('review.page.roles.text', {
          name,
          roles: wanted.length === 0 ? text('review.page.account.no_role') : wanted.join(', '),
        })}
        confirm={text('review.page.roles.save')}
        cancel={text('review.page.cancel')}
        destructive={false}
        busy={changing.isPending}
        onConfirm={() => changing.mutate()}
        onClose={() => setAsking(false)}
      />
    </form>
  )
}
