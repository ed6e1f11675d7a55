import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type ComponentType, type ReactNode } from 'react'
import { call } from '../../../../ui/api/call.ts'
import { useServerTime } from '../../../../ui/api/use-server-time.ts'
import { ConfirmDialog } from '../../../../ui/controls/ConfirmDialog.tsx'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { formatDay, formatInstant } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { notify } from '../../../../ui/shell/notify.ts'
import { revokeApiKey, type ApiKeyEntry } from '../../contract/api-keys.ts'
import { apiKeysQuery } from '../queries.ts'
import styles from '../account.module.css'

const dayMs = 24 * 3_600_000
/** So many days before, it is said beside the name that a key ends: as the mails do, and a little before them. */
const soonDays = 14

export function ApiKeyRow(props: { entry: ApiKeyEntry; Spending: ComponentType<{ id: string }> | undefined }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const errorText = useErrorText()
  const client = useQueryClient()
  const [asking, setAsking] = useState(false)
  const { entry, Spending } = props
  const name = visible(entry.name)
  const revoking = useMutation({
    mutationFn: () => call(revokeApiKey, { params: { id: entry.id } }),
    onSuccess: () => notify('success', text('identity.keys.revoked'), text('ui.notice.dismiss')),
    onError: (error) => notify('error', errorText(error), text('ui.notice.dismiss')),
    onSettled: async () => {
      setAsking(false)
      await client.invalidateQueries({ queryKey: apiKeysQuery.queryKey })
    },
  })
  const now = useServerTime(null)
  const endsIn = Math.floor((Date.parse(entry.expires_at) - now) / dayMs)
  const end = { date: formatInstant(entry.expires_at, locale) }
  const used =
    entry.last_used === null
      ? text('identity.keys.unused')
      : text('identity.keys.used', { day: formatDay(entry.last_used.on, locale), network: entry.last_used.network })
  return (
    <li className={styles['row']}>
      <div className={styles['what']}>
        <strong>{name}</strong>
        <code>{entry.hint}…</code>
        {entry.expired || endsIn <= soonDays ? (
          <span className={styles['badge']} data-tone="caution">
            {entry.expired ? text('identity.keys.expired') : text('identity.keys.ends_in', { days: endsIn })}
          </span>
        ) : null}
        <p>{entry.scopes.map((scope) => text(`identity.keys.scope.${scope}`)).join(' · ')}</p>
        <p className={styles['soft']}>
          {text(entry.expired ? 'identity.keys.expired_on' : 'identity.keys.until', end)}
          {` · ${text('identity.keys.per_minute_fact', { count: entry.per_minute })}`}
        </p>
        <p className={styles['soft']}>
          {used}
          {` · ${text('identity.keys.made_on', { date: formatInstant(entry.created_at, locale) })}`}
        </p>
      </div>
      <Button variant="default" aria-label={`${text('identity.keys.revoke')} – ${name}`} onClick={() => setAsking(true)}>
        {text('identity.keys.revoke')}
      </Button>
      {Spending === undefined ? null : <Spending id={entry.id} />}
      <ConfirmDialog
        open={asking}
        title={text('identity.keys.revoke.title', { name })}
        text={text('identity.keys.revoke.text')}
        confirm={text('identity.keys.revoke')}
        cancel={text('identity.page.cancel')}
        destructive
        busy={revoking.isPending}
        onConfirm={() => revoking.mutate()}
        onClose={() => setAsking(false)}
      />
    </li>
  )
}
