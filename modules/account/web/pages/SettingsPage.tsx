import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState, type ReactNode } from 'react'
import { locales } from '../../../../kernel/locale.ts'
import { call } from '../../../../ui/api/call.ts'
import { Loaded } from '../../../../ui/controls/ReferencePage.tsx'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import type { CaptureServer } from '../../../capture/contract/servers.ts'
import { changeSettings } from '../../contract/endpoints.ts'
import type { Settings } from '../../contract/settings.ts'
import { currentUserQuery, serversQuery, settingsQuery } from '../queries.ts'
import field from '../../../../ui/forms/field.module.css'
import styles from '../account-pages.module.css'

type Change = Partial<Pick<Settings, 'language' | 'server_location' | 'server_id' | 'close_cookies'>>

/** E-53, E-54 and the language of mails: saved as they are chosen. */
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
      <h2>{text('account.page.settings')}</h2>
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

function Form(props: { kept: Settings; servers: readonly CaptureServer[] }): ReactNode {
  const text = useText()
  const errorText = useErrorText()
  const client = useQueryClient()
  /** At once, and until the page is left. */
  const [chosen, setChosen] = useState<Change>({})
  const ids = { language: useId(), server: useId(), cookies: useId() }
  const saving = useMutation({
    // One after the other: the last choice is the one that is kept.
    scope: { id: 'settings' },
    mutationFn: (body: Change) => call(changeSettings, { body }),
    onSuccess: (settings) => client.setQueryData(settingsQuery.queryKey, settings),
    // What could not be saved is shown as it is kept.
    onError: () => {
      setChosen({})
      void client.invalidateQueries({ queryKey: settingsQuery.queryKey })
    },
  })
  const choose = (change: Change) => {
    setChosen((before) => ({ ...before, ...change }))
    saving.mutate(change)
  }
  const shown = { ...props.kept, ...chosen }
  const state = saving.isPending ? 'saving' : saving.isSuccess ? 'saved' : null
  const chooseServer = (id: string) => {
    const server = props.servers.find((each) => each.id === id)
    choose(
      server === undefined
        ? { server_location: 'automatic', server_id: null }
        : { server_location: server.kind, server_id: server.id },
    )
  }
  const gone = shown.server_id !== null && !props.servers.some(({ id }) => id === shown.server_id)
  return (
    <div className={styles['form']}>
      <div className={field['field']}>
        <label htmlFor={ids.language}>{text('account.page.settings.language')}</label>
        <select
          id={ids.language}
          className={field['input']}
          value={shown.language}
          onChange={({ target }) => choose({ language: target.value === 'fr' ? 'fr' : 'en' })}
        >
          {locales.map((each) => (
            <option key={each} value={each}>
              {text(`ui.language.${each}`)}
            </option>
          ))}
        </select>
      </div>
      <div className={field['field']}>
        <label htmlFor={ids.server}>{text('account.page.settings.server')}</label>
        <select
          id={ids.server}
          className={field['input']}
          value={shown.server_id ?? ''}
          aria-describedby={`${ids.server}-hint`}
          onChange={({ target }) => chooseServer(target.value)}
        >
          <option value="">{text('evidence.options.server.automatic')}</option>
          {gone ? <option value={shown.server_id ?? ''}>{visible(shown.server_id ?? '')}</option> : null}
          {props.servers.map(({ id, name, city }) => (
            <option key={id} value={id}>
              {visible(city === null ? name : `${name} – ${city}`)}
            </option>
          ))}
        </select>
        <p id={`${ids.server}-hint`} className={field['hint']}>
          {text(shown.server_id === null ? 'evidence.options.server.hint' : 'evidence.options.server.hint_named')}
        </p>
      </div>
      <div>
        <div className={field['check']}>
          <input
            id={ids.cookies}
            type="checkbox"
            checked={shown.close_cookies}
            aria-describedby={`${ids.cookies}-hint`}
            onChange={({ target }) => choose({ close_cookies: target.checked })}
          />
          <label htmlFor={ids.cookies}>{text('account.page.settings.cookies')}</label>
        </div>
        <p id={`${ids.cookies}-hint`} className={field['hint']}>
          {text('evidence.cookies.lead')} {text('evidence.cookies.caveat')}
        </p>
      </div>
      <p role="status" className={styles['soft']}>
        {state === null ? null : text(`account.page.state.${state}`)}
      </p>
      <p className={styles['fault']} role="alert">
        {saving.isError ? errorText(saving.error) : null}
      </p>
    </div>
  )
}
