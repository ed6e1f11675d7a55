import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState, type ReactNode } from 'react'
import type { BodyInputOf } from '../../../../kernel/endpoint.ts'
import { locales } from '../../../../kernel/locale.ts'
import { call } from '../../../../ui/api/call.ts'
import { keepAnswer } from '../../../../ui/api/keep-answer.ts'
import { Loaded } from '../../../../ui/controls/ReferencePage.tsx'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { notify } from '../../../../ui/shell/notify.ts'
import type { CaptureServer } from '../../../capture/contract/servers.ts'
import { changeSettings } from '../../contract/endpoints.ts'
import type { Settings } from '../../contract/settings.ts'
import { notificationKinds, type NotificationKind as Kind } from '../../domain/settings.ts'
import { currentUserQuery } from '../current-user.ts'
import { serversQuery, settingsQuery } from '../queries.ts'
import field from '../../../../ui/forms/field.module.css'
import styles from '../account-pages.module.css'

type Change = BodyInputOf<typeof changeSettings>

/** E-53…E-55, the language of mails and which are sent: saved as they are chosen, each with the way back. */
export function SettingsPage(): ReactNode {
  const text = useText()
  const user = useQuery(currentUserQuery)
  const settings = useQuery(settingsQuery)
  const servers = useQuery(serversQuery)
  const acting = user.data?.acting ?? null
  if (acting !== null && acting.scope !== 'manage')
    return <p className={styles['soft']}>{text('account.page.settings.not_managed')}</p>
  return (
    <section className={styles['section']}>
      <p className={styles['soft']}>{text('account.page.settings.lead')}</p>
      <Loaded query={settings} loading={text('ui.loading')} failed={text('account.page.settings.failed')}>
        {(kept) => (
          <Loaded query={servers} loading={text('ui.loading')} failed={text('account.page.settings.failed')}>
            {({ results }) => <Form kept={kept} servers={results} />}
          </Loaded>
        )}
      </Loaded>
    </section>
  )
}

/** What a choice was before, of exactly what it changes. */
function reverse(change: Change, before: Settings): Change {
  const { notifications, ...rest } = change
  const kept = Object.fromEntries(Object.keys(rest).map((name) => [name, before[name as keyof typeof before]]))
  const mails = Object.fromEntries(Object.keys(notifications ?? {}).map((kind) => [kind, before.notifications[kind as Kind]]))
  return { ...kept, ...(notifications === undefined ? {} : { notifications: mails }) }
}

function withChange(settings: Settings, { notifications = {}, ...rest }: Change): Settings {
  const said = Object.fromEntries(Object.entries({ ...rest }).filter(([, value]) => value !== undefined))
  const mails = Object.fromEntries(Object.entries(notifications).filter(([, value]) => value !== undefined))
  return { ...settings, ...said, notifications: { ...settings.notifications, ...mails } }
}

function Form(props: { kept: Settings; servers: readonly CaptureServer[] }): ReactNode {
  const text = useText()
  const errorText = useErrorText()
  const client = useQueryClient()
  /** At once, and until they are saved or refused. */
  const [chosen, setChosen] = useState<readonly Change[]>([])
  const ids = { language: useId(), server: useId() }
  const dismiss = text('ui.notice.dismiss')
  const saving = useMutation({
    // One after the other: the last choice is the one that is kept.
    scope: { id: 'settings' },
    mutationFn: ({ change }: { change: Change; back: Change | null }) => call(changeSettings, { body: change }),
    onSuccess: (settings, { back }) => {
      keepAnswer(client, settingsQuery.queryKey, settings)
      notify(
        'success',
        text(back === null ? 'account.page.settings.undone' : 'account.page.settings.saved'),
        dismiss,
        'settings',
        back === null ? undefined : { label: text('account.page.settings.undo'), act: () => choose(back, null) },
      )
    },
    // What could not be saved is shown as it is kept.
    onError: (error) => {
      notify('error', text('account.page.settings.not_saved', { reason: errorText(error) }), dismiss)
      void client.invalidateQueries({ queryKey: settingsQuery.queryKey })
    },
    onSettled: (_settings, _error, { change }) => setChosen((before) => before.filter((each) => each !== change)),
  })
  const shown = chosen.reduce(withChange, props.kept)
  function choose(change: Change, back: Change | null): void {
    setChosen((before) => [...before, change])
    saving.mutate({ change, back })
  }
  const pick = (change: Change) => choose(change, reverse(change, shown))
  return (
    <div className={styles['groups']}>
      <div className={field['field']}>
        <label htmlFor={ids.language}>{text('account.page.settings.language')}</label>
        <select
          id={ids.language}
          className={field['input']}
          value={shown.language}
          onChange={({ target }) => pick({ language: target.value === 'fr' ? 'fr' : 'en' })}
        >
          {locales.map((each) => (
            <option key={each} value={each}>
              {text(`ui.language.${each}`)}
            </option>
          ))}
        </select>
      </div>
      <section className={styles['group']} aria-labelledby={`${ids.server}-group`}>
        <h2 id={`${ids.server}-group`}>{text('account.page.settings.captures')}</h2>
        <p className={styles['soft']}>{text('account.page.settings.captures.lead')}</p>
        <ServerChoice id={ids.server} shown={shown} servers={props.servers} pick={pick} />
        <Switch
          checked={shown.close_cookies}
          label={text('account.page.settings.cookies')}
          hint={`${text('evidence.cookies.lead')} ${text('evidence.cookies.caveat')}`}
          onChange={(close_cookies) => pick({ close_cookies })}
        />
        <Eidas shown={shown} pick={pick} />
      </section>
      <section className={styles['group']} aria-labelledby={`${ids.language}-group`}>
        <h2 id={`${ids.language}-group`}>{text('account.page.settings.mails')}</h2>
        <p className={styles['soft']}>{text('account.page.settings.mails.lead')}</p>
        {notificationKinds.map((kind) => (
          <Switch
            key={kind}
            checked={shown.notifications[kind]}
            label={text(`account.page.settings.mail.${kind}`)}
            hint={text(`account.page.settings.mail.${kind}.hint`)}
            onChange={(on) => pick({ notifications: { [kind]: on } })}
          />
        ))}
      </section>
      <p role="status" className={styles['soft']}>
        {saving.isPending ? text('account.page.state.saving') : null}
      </p>
    </div>
  )
}

type Picked = { readonly shown: Settings; readonly pick: (change: Change) => void }

function Switch(props: { checked: boolean; label: string; hint: string; onChange: (on: boolean) => void }): ReactNode {
  const id = useId()
  return (
    <div className={styles['switch']}>
      <div className={field['check']}>
        <input
          id={id}
          type="checkbox"
          checked={props.checked}
          aria-describedby={`${id}-hint`}
          onChange={({ target }) => props.onChange(target.checked)}
        />
        <label htmlFor={id}>{props.label}</label>
      </div>
      <p id={`${id}-hint`} className={field['hint']}>
        {props.hint}
      </p>
    </div>
  )
}

/** E-53: of servers that anyone may choose, and of those of the group. */
function ServerChoice({ id, shown, pick, servers }: Picked & { id: string; servers: readonly CaptureServer[] }): ReactNode {
  const text = useText()
  const choose = (serverId: string) => {
    const server = servers.find((each) => each.id === serverId)
    pick(
      server === undefined
        ? { server_location: 'automatic', server_id: null }
        : { server_location: server.kind, server_id: server.id },
    )
  }
  const gone = shown.server_id !== null && !servers.some((each) => each.id === shown.server_id)
  const kinds = (['public', 'dedicated'] as const).map((kind) => [kind, servers.filter((each) => each.kind === kind)] as const)
  return (
    <div className={field['field']}>
      <label htmlFor={id}>{text('account.page.settings.server')}</label>
      <select
        id={id}
        className={field['input']}
        value={shown.server_id ?? ''}
        aria-invalid={gone}
        aria-describedby={`${id}-hint`}
        onChange={({ target }) => choose(target.value)}
      >
        <option value="">{text('evidence.options.server.automatic')}</option>
        {gone ? <option value={shown.server_id ?? ''}>{visible(shown.server_id ?? '')}</option> : null}
        {kinds
          .filter(([, list]) => list.length > 0)
          .map(([kind, list]) => (
            <optgroup key={kind} label={text(`account.page.settings.server.${kind}`)}>
              {list.map((server) => (
                <option key={server.id} value={server.id}>
                  {visible(server.city === null ? server.name : `${server.name} – ${server.city}`)}
                </option>
              ))}
            </optgroup>
          ))}
      </select>
      <p id={`${id}-hint`} className={field['hint']}>
        {gone
          ? text('account.page.settings.server.gone')
          : text(shown.server_id === null ? 'evidence.options.server.hint' : 'evidence.options.server.hint_named')}
      </p>
    </div>
  )
}

/** E-55: offered where it changes something; where not, it is said why (decision 0279). */
function Eidas({ shown, pick }: Picked): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { eidas } = shown
  if (eidas.reason !== null)
    return (
      <div className={styles['switch']}>
        <h3>{text('account.page.settings.eidas.title')}</h3>
        <p className={styles['soft']}>{text(`account.page.settings.eidas.${eidas.reason}`)}</p>
      </div>
    )
  const names = new Intl.ListFormat(locale).format(
    eidas.authorities.map(({ provider, territory }) => visible(territory === '' ? provider : `${provider} (${territory})`)),
  )
  return (
    <Switch
      checked={shown.eidas_timestamping}
      label={text('account.page.settings.eidas')}
      hint={text('account.page.settings.eidas.hint', { names })}
      onChange={(eidas_timestamping) => pick({ eidas_timestamping })}
    />
  )
}
