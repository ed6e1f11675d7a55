import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, Navigate, useLocation, useParams, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { call } from '../../../../ui/api/call.ts'
import { useSession } from '../../../../ui/api/session.ts'
import { keepAnswer } from '../../../../ui/api/keep-answer.ts'
import { ReferencePage } from '../../../../ui/controls/ReferencePage.tsx'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { formatInstant } from '../../../../ui/intl/format.ts'
import { Message, useLocale, useText } from '../../../../ui/intl/text.tsx'
import {
  acceptInvitation,
  changeMailedNotification,
  readInvitation,
  readMailedNotification,
  undoClosing,
} from '../../contract/endpoints.ts'
import { settingsQuery } from '../queries.ts'
import { closedUntil } from '../closed-account.ts'
import styles from '../account.module.css'

/** Where links of mails lead. Each page acts at a press of its button alone: programs that open links ahead of their reader change nothing. */
export function MailedLinkPages(): ReactNode {
  const { _splat = '' } = useParams({ strict: false })
  const search: { key?: unknown } = useSearch({ strict: false })
  const key = typeof search.key === 'string' && search.key.length <= 200 ? search.key : ''
  if (_splat.startsWith('account-closed')) return <ClosedPage />
  if (_splat.startsWith('notifications')) return <NotificationsPage linkKey={key} />
  return _splat.startsWith('invitation') ? <InvitationPage linkKey={key} /> : <KeepAccountPage linkKey={key} />
}

function Fault(props: { error: unknown }): ReactNode {
  const errorText = useErrorText()
  return props.error === null ? null : <p role="alert">{errorText(props.error)}</p>
}

/** Back to this page once signed in. */
function SignInLinks(): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { href } = useLocation()
  const links = [
    ['login', 'account.page.sign_in'],
    ['registration', 'account.page.register'],
  ] as const
  return links.map(([page, label]) => (
    <p key={page}>
      <Link to="/$locale/authentication/$/" params={{ locale, _splat: page }} search={{ redirect: href }}>
        {text(label)}
      </Link>
    </p>
  ))
}

/** H-38: what was said of the closing, once nobody is signed in any more. */
function ClosedPage(): ReactNode {
  const text = useText()
  const locale = useLocale()
  const until = closedUntil()
  if (until === null) return <Navigate to="/$locale/" params={{ locale }} replace />
  return (
    <ReferencePage
      title={text('account.page.delete.closed')}
      lead={[text('account.page.delete.closed.until', { date: formatInstant(until, locale) })]}
    >
      <p>
        <Link to="/$locale/" params={{ locale }}>
          {text('account.page.delete.home')}
        </Link>
      </p>
    </ReferencePage>
  )
}

/** H-38: undoes the closing of an account. */
function KeepAccountPage(props: { linkKey: string }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { linkKey } = props
  const keeping = useMutation({ mutationFn: () => call(undoClosing, { body: { key: linkKey }, anonymous: true }) })
  return (
    <ReferencePage title={text('account.page.keep.title')} lead={keeping.isSuccess ? [] : [text('account.page.keep.lead')]}>
      {keeping.isSuccess ? (
        <div className={styles['block']} role="status">
          <p>{text('account.page.keep.done')}</p>
          <p>
            <Link to="/$locale/authentication/$/" params={{ locale, _splat: 'login' }}>
              {text('account.page.sign_in')}
            </Link>
          </p>
        </div>
      ) : linkKey === '' ? (
        <p role="alert">{text('account.page.keep.none')}</p>
      ) : (
        <div className={styles['block']}>
          <Fault error={keeping.error} />
          <Button size="md" loading={keeping.isPending} onClick={() => keeping.mutate()}>
            {text('account.page.keep.action')}
          </Button>
        </div>
      )}
    </ReferencePage>
  )
}

/** Ends the one kind of mail that the link came with, and has it sent again; nobody needs to sign in. */
function NotificationsPage(props: { linkKey: string }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const client = useQueryClient()
  const { linkKey: key } = props
  const queryKey = ['mailed-notification', key] as const
  const read = useQuery({
    queryKey,
    queryFn: ({ signal }) => call(readMailedNotification, { body: { key }, signal, anonymous: true }),
    enabled: key !== '',
    retry: false,
  })
  const changing = useMutation({
    mutationFn: (on: boolean) => call(changeMailedNotification, { body: { key, on }, anonymous: true }),
    onSuccess: (changed) => {
      keepAnswer(client, queryKey, changed)
      void client.invalidateQueries({ queryKey: settingsQuery.queryKey })
    },
  })
  const { data } = read
  return (
    <ReferencePage title={text('account.page.mails.title')} lead={[]}>
      {key === '' ? (
        <p role="alert">{text('account.page.mails.none')}</p>
      ) : data === undefined ? (
        read.error === null ? (
          <p role="status">{text('ui.loading')}</p>
        ) : (
          <Fault error={read.error} />
        )
      ) : (
        <div className={styles['block']}>
          <p role="status">
            {text(data.on ? 'account.page.mails.on' : 'account.page.mails.off', {
              what: text(`account.page.settings.mail.${data.kind}`),
            })}
          </p>
          <Fault error={changing.error} />
          <Button
            size="md"
            variant={data.on ? 'filled' : 'default'}
            loading={changing.isPending}
            onClick={() => changing.mutate(!data.on)}
          >
            {text(data.on ? 'account.page.mails.end' : 'account.page.mails.again')}
          </Button>
          <p>{text('account.page.mails.others')}</p>
          <p>
            <Link to="/$locale/account/$/" params={{ locale, _splat: 'settings' }}>
              {text('account.page.mails.settings')}
            </Link>
          </p>
        </div>
      )}
    </ReferencePage>
  )
}

/** H-23: what the link invites to, and joining it in the account that has the address. */
function InvitationPage(props: { linkKey: string }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const session = useSession()
  const client = useQueryClient()
  const { linkKey: token } = props
  const read = useQuery({
    queryKey: ['group-invitation', token],
    queryFn: ({ signal }) => call(readInvitation, { body: { token }, signal, anonymous: true }),
    enabled: token !== '',
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const accepting = useMutation({
    mutationFn: () => call(acceptInvitation, { body: { token } }),
    onSuccess: async () => await client.invalidateQueries({ queryKey: ['current-user'] }),
  })
  const invited = read.data
  return (
    <ReferencePage title={text('account.page.invitation.title')} lead={[]}>
      {accepting.isSuccess ? (
        <div className={styles['block']} role="status">
          <p>
            <Message id="account.page.invitation.done" values={{ group: accepting.data.name }} />
          </p>
          <p>
            <Link to="/$locale/evidences/pending/" params={{ locale }}>
              {text('account.page.invitation.evidences')}
            </Link>
          </p>
        </div>
      ) : token === '' ? (
        <p role="alert">{text('account.page.keep.none')}</p>
      ) : invited === undefined ? (
        <div className={styles['block']}>
          {read.isError ? <Fault error={read.error} /> : <p role="status">{text('ui.loading')}</p>}
        </div>
      ) : (
        <div className={styles['block']}>
          <p>
            <Message
              id="account.page.invitation.lead"
              values={{
                name: invited.invited_by,
                email: invited.email,
                group: invited.group,
                role: invited.role,
                date: formatInstant(invited.expires_at, locale),
              }}
            />
          </p>
          <p>{text('account.page.invitation.shared')}</p>
          <Fault error={accepting.error} />
          {session === null ? (
            <>
              <p>{text('account.page.invitation.who')}</p>
              <SignInLinks />
            </>
          ) : (
            <Button size="md" loading={accepting.isPending} onClick={() => accepting.mutate()}>
              {text('account.page.invitation.accept')}
            </Button>
          )}
        </div>
      )}
    </ReferencePage>
  )
}
