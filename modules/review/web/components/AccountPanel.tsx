import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import {
  endSessionsOf,
  reinstateUser,
  resendConfirmationOf,
  suspendUser,
  type Standing,
} from '../../../identity/contract/administration.ts'
import { call } from '../../../../ui/api/call.ts'
import { ConfirmDialog } from '../../../../ui/controls/ConfirmDialog.tsx'
import { Facts } from '../../../../ui/controls/Facts.tsx'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { formatInstant } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { notify } from '../../../../ui/shell/notify.ts'
import type { AdminUser } from '../../contract/review.ts'
import { userQuery } from '../queries.ts'
import styles from '../users.module.css'
import { RolesOf } from './RolesOf.tsx'
import { SuspendUser } from './SuspendUser.tsx'

type Act = 'suspend' | 'reinstate' | 'resend' | 'end_sessions'

/** How an account stands, and what support and administrators do about it; each act is asked about first (H-20). */
export function AccountPanel(props: {
  user: AdminUser
  me: { readonly id: string; readonly roles: readonly string[] }
}): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { user, me } = props
  const administers = me.roles.includes('administrator')
  const acts = administers || me.roles.includes('support')
  const date = (instant: string | null) => (instant === null ? text('review.page.account.never') : formatInstant(instant, locale))
  return (
    <section className={styles['panel']} aria-labelledby="user-account">
      <h2 id="user-account">{text('review.page.account')}</h2>
      <Facts
        rows={[
          [text('review.page.filter.status'), text(`review.page.status.${user.status}`)],
          ...(user.suspended_at === null
            ? []
            : [
                [
                  text('review.page.account.suspended'),
                  `${date(user.suspended_at)}${user.suspended_reason === null ? '' : ` – ${visible(user.suspended_reason)}`}`,
                ] as const,
              ]),
          [text('review.page.account.registered'), date(user.created_at)],
          [text('review.page.account.confirmed'), date(user.confirmed_at)],
          [text('review.page.account.last_sign_in'), date(user.last_sign_in_at)],
          [
            text('review.page.account.addresses'),
            <ul key="addresses" className={styles['plain']}>
              {user.addresses.map(({ email, primary, verified }) => (
                <li key={email}>
                  {visible(email)}
                  {primary ? ` – ${text('review.page.account.primary')}` : null}
                  {verified ? null : ` – ${text('review.page.account.unverified')}`}
                </li>
              ))}
            </ul>,
          ],
          [text('review.page.account.sessions'), String(user.sessions)],
          [text('review.page.account.factor'), text(user.second_factor ? 'review.page.account.on' : 'review.page.account.off')],
          [
            text('review.page.account.roles'),
            user.roles.length === 0
              ? text('review.page.account.no_role')
              : user.roles.map((role) => text(`review.page.role.${role}`)).join(', '),
          ],
        ]}
      />
      {administers ? (
        <p>
          <Link to="/$locale/admin/$/" params={{ locale, _splat: 'acts' }} search={{ person: user.id }} preload={false}>
            {text('review.page.account.acts')}
          </Link>
        </p>
      ) : null}
      {acts ? <Acts user={user} own={user.id === me.id} /> : null}
      {administers && user.status === 'active' && user.id !== me.id ? <RolesOf key={user.roles.join()} user={user} /> : null}
    </section>
  )
}

function Acts(props: { user: AdminUser; own: boolean }): ReactNode {
  const text = useText()
  const errorText = useErrorText()
  const client = useQueryClient()
  const [asking, setAsking] = useState<Act | null>(null)
  const { user } = props
  const params = { id: user.id }
  const name = visible(`${user.first_name} ${user.last_name}`)
  const acting = useMutation({
    mutationFn: ({ act, reason }: { act: Act; reason: string }): Promise<Standing> => {
      switch (act) {
        case 'suspend':
          return call(suspendUser, { params, body: { reason } })
        case 'reinstate':
          return call(reinstateUser, { params })
        case 'resend':
          return call(resendConfirmationOf, { params })
        default:
          return call(endSessionsOf, { params })
      }
    },
    onSuccess: async (_, { act }) => {
      setAsking(null)
      notify('success', text(`review.page.act.${act}.done`, { name }), text('ui.notice.dismiss'))
      await Promise.all([
        client.invalidateQueries({ queryKey: userQuery(user.id).queryKey }),
        client.invalidateQueries({ queryKey: ['admin-users'] }),
      ])
    },
    onError: (error) => {
      setAsking(null)
      notify('error', errorText(error), text('ui.notice.dismiss'))
    },
  })
  const possible: readonly Act[] = [
    ...(user.status === 'unconfirmed' ? (['resend'] as const) : []),
    ...(user.status === 'suspended' ? (['reinstate'] as const) : []),
    ...(user.sessions > 0 ? (['end_sessions'] as const) : []),
    ...(user.status === 'active' && !props.own ? (['suspend'] as const) : []),
  ]
  if (possible.length === 0) return null
  return (
    <div className={styles['actions']}>
      {possible.map((act) => (
        <Button
          key={act}
          {...(act === 'suspend' ? { variant: 'outline', color: 'bad' } : { variant: 'default' })}
          onClick={() => setAsking(act)}
        >
          {text(`review.page.act.${act}`)}
        </Button>
      ))}
      <SuspendUser
        open={asking === 'suspend'}
        name={name}
        busy={acting.isPending}
        onSuspend={(reason) => acting.mutate({ act: 'suspend', reason })}
        onClose={() => setAsking(null)}
      />
      <ConfirmDialog
        open={asking !== null && asking !== 'suspend'}
        title={asking === null || asking === 'suspend' ? '' : `${text(`review.page.act.${asking}`)} – ${name}`}
        text={asking === null || asking === 'suspend' ? '' : text(`review.page.act.${asking}.text`, { name })}
        confirm={asking === null ? '' : text(`review.page.act.${asking}`)}
        cancel={text('review.page.cancel')}
        destructive={asking === 'end_sessions'}
        busy={acting.isPending}
        onConfirm={() => {
          if (asking !== null) acting.mutate({ act: asking, reason: '' })
        }}
        onClose={() => setAsking(null)}
      />
    </div>
  )
}
