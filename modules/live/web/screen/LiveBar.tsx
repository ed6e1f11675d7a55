import { useEffect, useId, useRef, useState, type ReactNode, type RefObject } from 'react'
import { parseWebAddress } from '../../../../kernel/web-address.ts'
import { useOptionalText, useText, type MessageId } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { Icon, type IconName } from './icons.tsx'
import type { LiveSession } from '../session/live-session.ts'
import { activeTab, isOver, minutesAndSeconds, type LiveView } from '../session/live-view.ts'
import { useTimeLeft } from '../session/use-live.ts'
import styles from './live.module.css'

export function IconButton(props: {
  icon: IconName
  label: MessageId
  /** Shown beside the icon where there is room. */
  words?: MessageId
  pressed?: boolean
  busy?: boolean
  disabled?: boolean
  kind?: 'quit' | 'wished'
  opens?: boolean
  className?: string | undefined
  onClick: () => void
}): ReactNode {
  const text = useText()
  return (
    <button
      type="button"
      className={`${styles['tool']} ${props.className ?? ''}`}
      aria-label={text(props.label)}
      title={text(props.label)}
      aria-pressed={props.pressed}
      aria-busy={props.busy === true ? true : undefined}
      aria-haspopup={props.opens === true ? 'dialog' : undefined}
      data-kind={props.kind}
      disabled={props.disabled}
      onClick={props.onClick}
    >
      <Icon name={props.icon} />
      {props.words === undefined ? null : <span className={styles['toolWords']}>{text(props.words)}</span>}
    </button>
  )
}

/** K-01, H-49: that it is being recorded, and for how long it can be. */
export function Recording(props: { view: LiveView }): ReactNode {
  const text = useText()
  const { state, connection } = props.view
  const over = isOver(props.view)
  const left = useTimeLeft(over ? null : props.view.endsAt)
  const on = state?.recording === true
  const shown = left === null ? '–:––' : minutesAndSeconds(left)
  const short = left !== null && left <= 120_000
  return (
    <div className={styles['recording']} data-on={on} data-short={short} data-last={left !== null && left <= 30_000}>
      <span className={styles['dot']} aria-hidden="true" />
      <span className={styles['rec']}>
        <span aria-hidden="true">{text(on ? 'live.rec' : 'live.rec.off')}</span>
        <span className="visually-hidden">
          {text(
            over ? 'live.over.title' : on && connection === 'open' ? 'live.rec.long' : on ? 'live.rec.away' : 'live.rec.not_yet',
          )}
        </span>
      </span>
      <span
        role="timer"
        className={styles['time']}
        aria-label={left === null ? text(over ? 'live.time.over' : 'live.time.none') : text('live.time', { time: shown })}
      >
        {shown}
      </span>
    </div>
  )
}

/** Where the page is, and where to go: a scheme is added, and what is wrong with an address is said before it is asked for. */
export function AddressField({
  session,
  view,
  field,
  disabled,
  onDone,
}: {
  session: LiveSession
  view: LiveView
  field: RefObject<HTMLInputElement | null>
  disabled: boolean
  onDone: () => void
}): ReactNode {
  const text = useText()
  const optionalText = useOptionalText()
  const error = useId()
  const tab = activeTab(view)
  const url = tab === null || tab.url === 'about:blank' ? '' : tab.url
  const [typed, setTyped] = useState<string | null>(null)
  const [focused, setFocused] = useState(false)
  const untouched = useRef(true)
  const [flaw, setFlaw] = useState<string | null>(null)
  const security = tab?.security ?? 'none'
  return (
    <form
      className={styles['address']}
      role="search"
      aria-label={text('live.address.label')}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        const wanted = (typed ?? url).trim()
        const parsed = parseWebAddress(wanted)
        // Which private addresses an operator allows is known to the session alone; it refuses the others by name.
        const refused = parsed.ok || parsed.code === 'private_address' ? null : parsed.code
        if (wanted === '' || refused !== null) {
          const code = wanted === '' ? 'required' : refused
          setFlaw(optionalText(`evidence.address.${code}`) ?? text('evidence.address.unparseable_address'))
          return
        }
        if (!session.send({ type: 'navigate', url: parsed.ok ? parsed.url : wanted })) return
        setTyped(null)
        setFlaw(null)
        onDone()
      }}
    >
      <span className={styles['security']} data-security={security} title={text(`live.security.${security}`)}>
        <Icon name={security} />
        <span className="visually-hidden">{text(`live.security.${security}`)}</span>
      </span>
      <input
        ref={field}
        type="text"
        inputMode="url"
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        maxLength={2000}
        dir="ltr"
        aria-label={text('live.address.label')}
        aria-invalid={flaw !== null}
        aria-describedby={error}
        disabled={disabled}
        placeholder={text('live.address.placeholder')}
        // Whole where it is written, with what cannot be seen where it is read. What was not changed follows the tab.
        value={typed ?? (focused ? url : visible(url))}
        onFocus={(event) => {
          setFocused(true)
          untouched.current = true
          const input = event.currentTarget
          // Selecting takes the focus: by then it may be the page's, where an address was entered at once. What was typed before a frame came
          // would be overwritten by what is typed after it.
          requestAnimationFrame(() => {
            if (document.activeElement === input && untouched.current) input.select()
          })
        }}
        onChange={(event) => {
          untouched.current = false
          setTyped(event.target.value)
          setFlaw(null)
        }}
        onBlur={() => {
          setFocused(false)
          setTyped(null)
          setFlaw(null)
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          setTyped(null)
          setFlaw(null)
          onDone()
        }}
      />
      <p id={error} className={styles['flaw']} role="alert">
        {flaw}
      </p>
    </form>
  )
}

/** At most eight (decision of the contract's limits); more than fit scroll sideways. */
export function TabStrip(props: {
  session: LiveSession
  view: LiveView
  disabled: boolean
  /** A tab was asked for: called in the gesture, as telephones open their keyboard in one alone. */
  onNew: () => void
}): ReactNode {
  const text = useText()
  const { tabs, limits } = props.view
  const strip = useRef<HTMLUListElement>(null)
  const current = activeTab(props.view)?.id
  useEffect(() => {
    const shown = [...(strip.current?.children ?? [])].find(
      (item) => item instanceof HTMLElement && item.dataset['tab'] === current,
    )
    shown?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [current])
  return (
    <nav className={styles['tabs']} aria-label={text('live.tabs')} data-many={tabs.length > 1}>
      <ul ref={strip}>
        {tabs.map((tab) => {
          const title =
            tab.title === ''
              ? tab.url === '' || tab.url === 'about:blank'
                ? text('live.tab.new')
                : visible(tab.url)
              : visible(tab.title)
          return (
            <li key={tab.id} data-tab={tab.id} data-active={tab.active} data-loading={tab.loading}>
              <button
                type="button"
                className={styles['tab']}
                aria-current={tab.active}
                title={title}
                aria-disabled={props.disabled ? true : undefined}
                onClick={() => {
                  // Not disabled as such: the strip scrolls by the keyboard, for those who look on too.
                  if (!props.disabled) props.session.send({ type: 'tab', act: 'select', tab: tab.id })
                }}
              >
                {tab.loading ? <span className={styles['spinner']} aria-hidden="true" /> : null}
                {tab.failure === null ? null : (
                  <span className={styles['tabFailed']} aria-hidden="true">
                    !
                  </span>
                )}
                <bdi>{title}</bdi>
                {tab.failure === null ? null : (
                  <span className="visually-hidden"> – {text('live.tab.failed', { failure: tab.failure })}</span>
                )}
              </button>
              {tabs.length > 1 ? (
                <button
                  type="button"
                  className={styles['tabClose']}
                  aria-label={text('live.tab.close', { title })}
                  disabled={props.disabled}
                  onClick={() => props.session.send({ type: 'tab', act: 'close', tab: tab.id })}
                >
                  <Icon name="close" />
                </button>
              ) : null}
            </li>
          )
        })}
      </ul>
      <button
        type="button"
        className={styles['tabNew']}
        aria-label={text('live.tab.open')}
        title={text('live.tab.open')}
        disabled={props.disabled || (limits !== null && tabs.length >= limits.tabs)}
        onClick={() => {
          if (props.session.send({ type: 'tab', act: 'new' })) props.onNew()
        }}
      >
        <Icon name="add" />
      </button>
    </nav>
  )
}
