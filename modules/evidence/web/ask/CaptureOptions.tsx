import { Button } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useSession } from '../../../../ui/api/session.ts'
import { Dialog } from '../../../../ui/controls/Dialog.tsx'
import { useLocale, useOptionalText, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import type { CaptureServer } from '../../../capture/contract/servers.ts'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { useCaptureServers, useScenarios, type ChosenOptions } from './capture-options.ts'
import styles from './capture-options.module.css'

type Choose = (change: Partial<ChosenOptions>) => void
type Part = {
  readonly chosen: ChosenOptions
  readonly choose: Choose
  /** Codes of the server by the field they speak of. */
  readonly faults: Readonly<Record<string, string>>
}

/** E-25, D-03, E-26: what may be asked for besides the address. Nothing here is needed to capture a page. */
export function CaptureOptions(props: Part): ReactNode {
  return (
    <div className={styles['options']}>
      <For action="static">
        <CookieSwitch {...props} />
        <ScenarioChoice {...props} />
        <SecondServerChoice {...props} />
      </For>
      <For action="interactive">
        <DeviceChoice {...props} />
      </For>
      <For action="both">
        <ServerChoice {...props} />
        <StoreSwitch {...props} />
      </For>
    </div>
  )
}

/** What one of the two buttons does not know, the server refuses by name: each option says which it belongs to. */
function For(props: { action: 'static' | 'interactive' | 'both'; children: ReactNode }): ReactNode {
  const text = useText()
  return (
    <fieldset className={styles['for']}>
      <legend>{text(`evidence.options.for.${props.action}`)}</legend>
      {props.children}
    </fieldset>
  )
}

function Fault(props: { id: string; code: string | undefined }): ReactNode {
  const text = useText()
  const optionalText = useOptionalText()
  return (
    <p id={props.id} className={styles['fault']} role="alert">
      {props.code === undefined
        ? null
        : (optionalText(`evidence.options.fault.${props.code}`) ?? text('evidence.options.fault.unknown'))}
    </p>
  )
}

function Select(props: {
  id: string
  label: string
  value: string
  fault: string | undefined
  hint?: string
  onChange: (value: string) => void
  children: ReactNode
}): ReactNode {
  const { id } = props
  return (
    <div className={styles['field']}>
      <label htmlFor={id}>{props.label}</label>
      <select
        id={id}
        value={props.value}
        aria-invalid={props.fault !== undefined}
        aria-describedby={`${id}-hint ${id}-fault`}
        onChange={(event) => props.onChange(event.currentTarget.value)}
      >
        {props.children}
      </select>
      <p id={`${id}-hint`} className={styles['hint']}>
        {props.hint}
      </p>
      <Fault id={`${id}-fault`} code={props.fault} />
    </div>
  )
}

function ScenarioChoice({ chosen, choose, faults }: Part): ReactNode {
  const text = useText()
  const locale = useLocale()
  const errorText = useErrorText()
  const { data, error } = useScenarios()
  if (error !== null) return <p className={styles['fault']}>{errorText(error)}</p>
  const scenarios = data ?? []
  // The normal one asks for nothing: it is what happens anyway.
  const normal = scenarios.find(({ id }) => id === 'normal')
  const others = scenarios.filter(({ id }) => id !== 'normal')
  const current = scenarios.find(({ id }) => id === chosen.scenario) ?? normal
  const groups = [
    ['', others.filter(({ kind }) => kind === 'normal')] as const,
    ...[...new Set(others.flatMap(({ brand }) => (brand === null ? [] : [brand])))].map(
      (brand) => [brand, others.filter((one) => one.kind === 'partner' && one.brand === brand)] as const,
    ),
  ]
  const option = (one: (typeof scenarios)[number]) => (
    <option key={one.id} value={one.id}>
      {one.name[locale]}
    </option>
  )
  return (
    <>
      <Select
        id="option-scenario"
        label={text('evidence.options.scenario')}
        value={chosen.scenario}
        fault={faults['scenario']}
        {...(current === undefined ? {} : { hint: current.description[locale] })}
        onChange={(scenario) => choose({ scenario, scenario_input: {} })}
      >
        <option value="">{normal?.name[locale] ?? text('evidence.options.scenario.normal')}</option>
        {groups.map(([brand, list]) =>
          brand === '' ? (
            list.map(option)
          ) : (
            <optgroup key={brand} label={brand}>
              {list.map(option)}
            </optgroup>
          ),
        )}
      </Select>
      {chosen.scenario === ''
        ? null
        : current?.fields.map((field) => {
            const id = `option-field-${field.name}`
            const fault = faults[`scenario_input.${field.name}`]
            return (
              <div className={styles['field']} key={field.name}>
                <label htmlFor={id}>{field.label[locale]}</label>
                <input
                  id={id}
                  type="text"
                  required={field.required}
                  maxLength={field.max_length}
                  value={chosen.scenario_input[field.name] ?? ''}
                  aria-invalid={fault !== undefined}
                  aria-describedby={`${id}-hint ${id}-fault`}
                  onChange={(event) =>
                    choose({ scenario_input: { ...chosen.scenario_input, [field.name]: event.currentTarget.value } })
                  }
                />
                <p id={`${id}-hint`} className={styles['hint']}>
                  {text('evidence.options.field_hint')}
                </p>
                <Fault id={`${id}-fault`} code={fault} />
              </div>
            )
          })}
    </>
  )
}

/** D-03: off until the visitor has read what it does. */
function CookieSwitch({ chosen, choose }: Part): ReactNode {
  const text = useText()
  const [asking, setAsking] = useState(false)
  return (
    <div className={styles['switch']}>
      <label>
        <input
          type="checkbox"
          role="switch"
          checked={chosen.close_cookies}
          aria-checked={chosen.close_cookies}
          onChange={(event) => {
            if (event.currentTarget.checked) setAsking(true)
            else choose({ close_cookies: false })
          }}
        />
        <span>{text('evidence.options.cookies')}</span>
      </label>
      <button type="button" className={styles['what']} onClick={() => setAsking(true)}>
        {text('evidence.options.cookies.what')}
      </button>
      <Dialog open={asking} title={text('evidence.cookies.title')} onClose={() => setAsking(false)}>
        <p>{text('evidence.cookies.lead')}</p>
        <ul className={styles['points']}>
          {(['images', 'refuse', 'logged'] as const).map((point) => (
            <li key={point}>{text(`evidence.cookies.point.${point}`)}</li>
          ))}
        </ul>
        <p>{text('evidence.cookies.caveat')}</p>
        <div className={styles['actions']}>
          <Button
            variant="default"
            size="md"
            onClick={() => {
              choose({ close_cookies: false })
              setAsking(false)
            }}
          >
            {text('evidence.cookies.off')}
          </Button>
          <Button
            size="md"
            onClick={() => {
              choose({ close_cookies: true })
              setAsking(false)
            }}
          >
            {text('evidence.cookies.on')}
          </Button>
        </div>
      </Dialog>
    </div>
  )
}

/** E-24, H-15: whoever has no account could not be reminded. */
function StoreSwitch({ chosen, choose, faults }: Part): ReactNode {
  const text = useText()
  const session = useSession()
  if (session === null && chosen.store) return null
  return (
    <div className={styles['switch']}>
      <label>
        <input
          type="checkbox"
          role="switch"
          checked={chosen.store}
          aria-checked={chosen.store}
          aria-describedby="option-store-hint option-store-fault"
          onChange={(event) => choose({ store: event.currentTarget.checked })}
        />
        <span>{text('evidence.options.store')}</span>
      </label>
      <p id="option-store-hint" className={styles['hint']}>
        {text('evidence.options.store.hint')}
      </p>
      <Fault id="option-store-fault" code={faults['store']} />
    </div>
  )
}

/** Journey (i): sites send telephones other pages. */
function DeviceChoice({ chosen, choose, faults }: Part): ReactNode {
  const text = useText()
  return (
    <Select
      id="option-device"
      label={text('evidence.options.device')}
      value={chosen.device}
      fault={faults['device']}
      hint={text('evidence.options.device.hint')}
      onChange={(device) => choose({ device: device === 'mobile' ? 'mobile' : 'desktop' })}
    >
      <option value="desktop">{text('evidence.options.device.desktop')}</option>
      <option value="mobile">{text('evidence.options.device.mobile')}</option>
    </Select>
  )
}

/** One that fell silent or stopped would only be waited for. */
const choosable: ReadonlySet<CaptureServer['status']> = new Set(['ready', 'starting', 'set_aside'])

/** What a list of servers is made of; null while it is not known, with what is wrong. */
function useServerOptions() {
  const text = useText()
  const locale = useLocale()
  const { data, error } = useCaptureServers()
  const servers = data ?? []
  const countries = new Intl.DisplayNames(locale, { type: 'region' })
  const placeOf = (server: CaptureServer) =>
    [server.city, server.country === null ? null : countries.of(server.country)].filter((part) => part !== null).join(', ')
  const option = (server: CaptureServer) => {
    const place = placeOf(server)
    const name = visible(place === '' ? server.name : `${server.name} – ${place}`)
    return (
      <option key={server.id} value={server.id} disabled={!choosable.has(server.status)}>
        {server.status === 'ready' ? name : `${name} (${text(`evidence.options.server.status.${server.status}`)})`}
      </option>
    )
  }
  return { servers, option, error }
}

function ServerChoice({ chosen, choose, faults }: Part): ReactNode {
  const text = useText()
  const errorText = useErrorText()
  const { servers, option, error } = useServerOptions()
  if (error !== null) return <p className={styles['fault']}>{errorText(error)}</p>
  return (
    <Select
      id="option-server"
      label={text('evidence.options.server')}
      value={chosen.server}
      fault={faults['server']}
      hint={text(chosen.server === '' ? 'evidence.options.server.hint' : 'evidence.options.server.hint_named')}
      onChange={(server) => choose({ server, ...(chosen.second_server === server ? { second_server: '' } : {}) })}
    >
      <option value="">{text('evidence.options.server.automatic')}</option>
      {servers.map(option)}
    </Select>
  )
}

function SecondServerChoice({ chosen, choose, faults }: Part): ReactNode {
  const text = useText()
  const { servers, option } = useServerOptions()
  if (servers.length < 2) return null
  return (
    <Select
      id="option-second-server"
      label={text('evidence.options.second_server')}
      value={chosen.second_server}
      fault={faults['second_server']}
      hint={text('evidence.options.second_server.hint')}
      onChange={(second_server) => choose({ second_server })}
    >
      <option value="">{text('evidence.options.second_server.none')}</option>
      <option value="automatic">{text('evidence.options.server.automatic')}</option>
      {servers.filter(({ id }) => id !== chosen.server).map(option)}
    </Select>
  )
}
