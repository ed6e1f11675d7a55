import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { call } from '../../../../ui/api/call.ts'
import { currentSession, endSession as forgetSession } from '../../../../ui/api/session.ts'
import { ConfirmDialog } from '../../../../ui/controls/ConfirmDialog.tsx'
import { Loaded } from '../../../../ui/controls/ReferencePage.tsx'
import { formatInstant } from '../../../../ui/intl/format.ts'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { notify } from '../../../../ui/shell/notify.ts'
import { endAllSessions, endOtherSessions, endSession } from '../../contract/endpoints.ts'
import type { Session } from '../../contract/identity.ts'
import { sessionsQuery } from '../queries.ts'
import styles from '../account.module.css'

/** H-08: where one is signed in, and out of there: of one, or of all at once. */
export function Sessions(): ReactNode {
  const text = useText()
  const locale = useLocale()
  const errorText = useErrorText()
  const navigate = useNavigate()
  const client = useQueryClient()
  const sessions = useQuery(sessionsQuery)
  const [asking, setAsking] = useState<'end_all' | 'end_others' | null>(null)
  const nameOf = ({ browser }: Session) => (browser === '' ? text('identity.page.sessions.unknown_browser') : visible(browser))
  const say = (error: Error) => notify('error', errorText(error), text('ui.notice.dismiss'))
  const ending = useMutation({
    mutationFn: ({ id }: Session) => call(endSession, { params: { id } }),
    onSuccess: () => notify('success', text('identity.page.sessions.ended'), text('ui.notice.dismiss')),
    onError: say,
    onSettled: () => client.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  })
  const endingOthers = useMutation({
    mutationFn: () => call(endOtherSessions, {}),
    onSuccess: ({ ended }) =>
      notify('success', text('identity.page.sessions.others_ended', { ended }), text('ui.notice.dismiss')),
    onError: say,
    onSettled: async () => {
      await client.invalidateQueries({ queryKey: sessionsQuery.queryKey })
      setAsking(null)
    },
  })
  const endingAll = useMutation({
    mutationFn: () => call(endAllSessions, {}),
    onSuccess: async () => {
      forgetSession(currentSession()?.token ?? '')
      await navigate({ to: '/$locale/authentication/$/', params: { locale, _splat: 'login' } })
      notify('success', text('identity.page.sessions.all_ended'), text('ui.notice.dismiss'))
    },
    onError: say,
  })
  return (
    <section className={styles['section']}>
      <h2>{text('identity.page.sessions.title')}</h2>
      <p className={styles['soft']}>{text('identity.page.sessions.lead')}</p>
      <Loaded query={sessions} loading={text('ui.loading')} failed={text('identity.page.sessions.failed')}>
        {({ results }) => (
          <ul className={styles['list']}>
            {results
              .toSorted((a, b) => Number(b.current) - Number(a.current))
              .map((session) => (
                <li key={session.id} className={styles['row']}>
                  <div className={styles['what']}>
                    <strong>{nameOf(session)}</strong>
                    {session.current ? (
                      <span className={styles['badge']} data-tone="good">
                        {text('identity.page.sessions.current')}
                      </span>
                    ) : null}
                    <p className={styles['soft']}>
                      {text('identity.page.sessions.facts', {
                        network: session.network,
                        seen: formatInstant(session.seen_at, locale),
                        since: formatInstant(session.created_at, locale),
                      })}
                      {session.second_factor ? ` · ${text('identity.page.sessions.second_factor')}` : null}
                      {` · ${text('identity.page.sessions.until', { until: formatInstant(session.expires_at, locale) })}`}
                      {session.remembered ? ` · ${text('identity.page.sessions.remembered')}` : null}
                    </p>
                  </div>
                  {session.current ? null : (
                    <Button
                      variant="default"
                      aria-label={`${text('identity.page.sessions.end')} – ${nameOf(session)}, ${session.network}`}
                      loading={ending.isPending && ending.variables.id === session.id}
                      onClick={() => ending.mutate(session)}
                    >
                      {text('identity.page.sessions.end')}
                    </Button>
                  )}
                </li>
              ))}
          </ul>
        )}
      </Loaded>
      <div className={styles['actions']}>
        {(sessions.data?.results.length ?? 0) < 2 ? null : (
          <Button variant="default" onClick={() => setAsking('end_others')}>
            {text('identity.page.sessions.end_others')}
          </Button>
        )}
        <Button variant="outline" color="bad" onClick={() => setAsking('end_all')}>
          {text('identity.page.sessions.end_all')}
        </Button>
      </div>
      <ConfirmDialog
        open={asking !== null}
        title={text(`identity.page.sessions.${asking ?? 'end_all'}`)}
        text={text(`identity.page.sessions.${asking ?? 'end_all'}.text`)}
        confirm={text(`identity.page.sessions.${asking ?? 'end_all'}`)}
        cancel={text('identity.page.cancel')}
        destructive
        busy={endingAll.isPending || endingOthers.isPending}
        onConfirm={() => (asking === 'end_others' ? endingOthers : endingAll).mutate()}
        onClose={() => setAsking(null)}
      />
    </section>
  )
}
