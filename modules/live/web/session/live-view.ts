import type { LiveNotice, LiveOutput, LiveRole, LiveScreenshot, LiveState, LiveTab } from '../../contract/live.ts'
import type { ConnectionState } from './connection.ts'

type Said<T extends LiveOutput['type']> = Extract<LiveOutput, { type: T }>

/** Something that happened, told once: by the session, or by the viewer itself. */
export type LiveEvent = {
  readonly key: number
  readonly code: LiveNotice | ViewerNotice
  readonly data: Readonly<Record<string, string | number>>
  readonly grave: boolean
  /** Stands over the picture no more; it remains among what happened. */
  readonly seen: boolean
}
export type ViewerNotice =
  | 'screenshot_taken'
  | 'screenshot_failed.too_soon'
  | 'screenshot_failed.limit'
  | 'screenshot_failed.no_answer'
  | 'screenshot_failed.no_page'
  | 'screenshot_failed.page_changed'
  | 'pasted'
  | 'secret_pasted'
  | 'paste_no_field'
  | 'paste_refused'
  | 'countersigned'
  | 'not_sent'
  | 'became_controller'
  | 'became_watcher'
  | 'under_two_minutes'
  | 'under_thirty_seconds'

/** All that the viewer shows, but the picture itself. */
export type LiveView = {
  readonly connection: ConnectionState
  readonly role: LiveRole | null
  readonly state: LiveState | null
  /** On the clock of `at` in `reduceLive`: when the time is up; null before it runs. */
  readonly endsAt: number | null
  readonly picture: Said<'welcome'>['picture'] | null
  readonly mobile: Said<'welcome'>['mobile']
  readonly limits: Said<'welcome'>['limits'] | null
  readonly tabs: readonly LiveTab[]
  readonly screenshots: readonly LiveScreenshot[]
  readonly focus: Pick<Said<'focus'>, 'editable' | 'input_mode' | 'masked'>
  /** null: not said yet. */
  readonly viewers: Pick<Said<'viewers'>, 'controllers' | 'watchers' | 'witnesses'> | null
  readonly quality: Pick<Said<'picture_quality'>, 'level' | 'frames_per_second' | 'side'> | null
  readonly credentials: Pick<Said<'ask_credentials'>, 'id' | 'origin' | 'realm'> | null
  readonly files: Pick<Said<'ask_files'>, 'id' | 'multiple' | 'accept'> | null
  readonly events: readonly LiveEvent[]
  /** How many events there have been; also the key of the last. */
  readonly told: number
  /** Screenshots that were asked for and have not come: number, and how many of its images are there; `of` 0: not said yet. */
  readonly awaited: readonly { readonly id: number; readonly done: number; readonly of: number }[]
  /** Pastes that were asked for: number, and whether it was a secret. */
  readonly pastes: readonly { readonly id: number; readonly secret: boolean }[]
  readonly countersigned: readonly { readonly name: string; readonly at: string }[]
  /** Milliseconds for a message there and back; null until measured. */
  readonly roundTrip: number | null
}

export const unseen: LiveView = {
  connection: 'connecting',
  role: null,
  state: null,
  endsAt: null,
  picture: null,
  mobile: null,
  limits: null,
  tabs: [],
  screenshots: [],
  focus: { editable: false, input_mode: '', masked: false },
  viewers: null,
  quality: null,
  credentials: null,
  files: null,
  events: [],
  told: 0,
  awaited: [],
  pastes: [],
  countersigned: [],
  roundTrip: null,
}

export type LiveChange =
  | { readonly type: 'said'; readonly message: LiveOutput; readonly at: number }
  | { readonly type: 'connection'; readonly state: ConnectionState }
  | { readonly type: 'screenshot_asked'; readonly id: number }
  | { readonly type: 'paste_asked'; readonly id: number; readonly secret: boolean }
  | { readonly type: 'not_sent' }
  | { readonly type: 'answered'; readonly wish: 'credentials' | 'files' }
  | { readonly type: 'seen'; readonly key: number }

const grave: ReadonlySet<string> = new Set<LiveEvent['code']>([
  'page_crashed',
  'browser_gone',
  'picture_interrupted',
  'thirty_seconds',
  'under_thirty_seconds',
  'time_up',
  'screenshot_failed.limit',
  'screenshot_failed.no_answer',
  'screenshot_failed.no_page',
  'screenshot_failed.page_changed',
  'upload_refused',
  'certificate_error',
  'download_refused',
  'paste_refused',
  'not_sent',
  'limit_bytes',
  'limit_requests',
])
const mostEvents = 50

function tell(view: LiveView, code: LiveEvent['code'], data: LiveEvent['data'] = {}): LiveView {
  const key = view.told + 1
  return {
    ...view,
    told: key,
    events: [...view.events, { key, code, data, grave: grave.has(code), seen: false }].slice(-mostEvents),
  }
}

/** Whoever comes, or comes back, when a warning has been given already. */
function warnLate({ phase, remaining_ms: left }: LiveState, view: LiveView): LiveView {
  if (phase !== 'capturing' || left === null || left > 120_000) return view
  const code = left > 30_000 ? 'two_minutes' : 'thirty_seconds'
  const told = view.events.some((event) => event.code === code || event.code === `under_${code}`)
  return told ? view : tell(view, `under_${code}`)
}

const timeOf = (state: LiveState, at: number): Pick<LiveView, 'state' | 'endsAt'> => ({
  state,
  endsAt: state.remaining_ms === null ? null : at + state.remaining_ms,
})

export function reduceLive(view: LiveView, change: LiveChange): LiveView {
  switch (change.type) {
    case 'connection':
      // What was asked for over a connection that is gone may or may not have been done; the list that comes with the next one says.
      return change.state === 'open'
        ? { ...view, connection: 'open' }
        : { ...view, connection: change.state, awaited: [], pastes: [], credentials: null, files: null, roundTrip: null }
    case 'screenshot_asked':
      return { ...view, awaited: [...view.awaited, { id: change.id, done: 0, of: 0 }] }
    case 'paste_asked':
      return { ...view, pastes: [...view.pastes, { id: change.id, secret: change.secret }] }
    case 'not_sent':
      return tell(view, 'not_sent')
    case 'answered':
      return { ...view, [change.wish]: null }
    case 'seen':
      return { ...view, events: view.events.map((event) => (event.key === change.key ? { ...event, seen: true } : event)) }
    case 'said':
      return hear(view, change.message, change.at)
    default:
      return change satisfies never
  }
}

function hear(view: LiveView, message: LiveOutput, at: number): LiveView {
  switch (message.type) {
    case 'welcome':
      return warnLate(message.state, {
        ...view,
        ...timeOf(message.state, at),
        role: message.role,
        picture: message.picture,
        mobile: message.mobile,
        limits: message.limits,
        tabs: message.tabs,
        screenshots: message.screenshots,
        quality: null,
      })
    case 'state':
      return { ...view, ...timeOf(message, at) }
    case 'tabs':
      return { ...view, tabs: message.tabs }
    case 'screenshot': {
      const { screenshot } = message
      const others = view.screenshots.filter(({ number }) => number !== screenshot.number)
      const kept = {
        ...view,
        screenshots: [...others, screenshot].sort((a, b) => a.number - b.number),
        awaited: view.awaited.filter(({ id }) => id !== message.id),
      }
      return tell(kept, 'screenshot_taken', { number: screenshot.number })
    }
    case 'screenshot_progress': {
      const { id, done, of } = message
      return { ...view, awaited: view.awaited.map((one) => (one.id === id ? { id, done, of } : one)) }
    }
    case 'screenshot_failed':
      return tell({ ...view, awaited: view.awaited.filter(({ id }) => id !== message.id) }, `screenshot_failed.${message.reason}`)
    case 'pasted': {
      const asked = view.pastes.find(({ id }) => id === message.id)
      const kept = { ...view, pastes: view.pastes.filter(({ id }) => id !== message.id) }
      if (message.result === 'no_field') return tell(kept, 'paste_no_field')
      if (message.result === 'refused') return tell(kept, 'paste_refused')
      return tell(kept, asked?.secret === true ? 'secret_pasted' : 'pasted')
    }
    case 'notice':
      // Told to all: those whose part it changed were told by `role`.
      if (message.code === 'controller_changed' && (view.role === 'controller' || view.events.at(-1)?.code === 'became_watcher'))
        return view
      return tell(view, message.code, message.data)
    case 'focus':
      return { ...view, focus: { editable: message.editable, input_mode: message.input_mode, masked: message.masked } }
    case 'ask_credentials':
      return { ...view, credentials: { id: message.id, origin: message.origin, realm: message.realm } }
    case 'ask_files':
      return { ...view, files: { id: message.id, multiple: message.multiple, accept: message.accept } }
    case 'ask_ended':
      return {
        ...view,
        credentials: view.credentials?.id === message.id ? null : view.credentials,
        files: view.files?.id === message.id ? null : view.files,
      }
    case 'viewers':
      return {
        ...view,
        viewers: { controllers: message.controllers, watchers: message.watchers, witnesses: message.witnesses },
      }
    case 'role': {
      if (message.role === view.role) return view
      const changed = { ...view, role: message.role }
      if (message.role === 'witness') return changed
      return tell(changed, message.role === 'controller' ? 'became_controller' : 'became_watcher')
    }
    case 'picture_quality':
      return { ...view, quality: { level: message.level, frames_per_second: message.frames_per_second, side: message.side } }
    case 'countersigned':
      return tell({ ...view, countersigned: [...view.countersigned, { name: message.name, at: message.at }] }, 'countersigned', {
        name: message.name,
      })
    case 'pong':
      return { ...view, roundTrip: Math.max(0, Math.round(at - message.at)) }
    default:
      // A newer session may say more than this page knows.
      return view
  }
}

/** Of what the picture is, and why it is not more. */
export const qualityWords = ({ level, side }: NonNullable<LiveView['quality']>) =>
  level === 'full' ? ('live.quality.full' as const) : (`live.quality.${level}.${side}` as const)

/** What the visitor does counts no more. */
export const isOver = ({ connection, state }: LiveView): boolean =>
  state?.phase === 'completing' || state?.phase === 'ended' || connection === 'ended'

export function activeTab(view: LiveView): LiveTab | null {
  return view.tabs.find(({ active }) => active) ?? null
}

/** What of the picture is shown: the emulated phone's screen, or all of it with the strip that is burnt in below the page. */
export function shownArea(view: LiveView): { readonly width: number; readonly height: number } {
  const { picture, mobile } = view
  if (picture === null) return { width: 1280, height: 840 }
  if (mobile === null) return { width: picture.width, height: picture.height }
  return { width: Math.min(mobile.width, picture.width), height: Math.min(mobile.height, picture.page_height) }
}

/** Where pointing counts. */
export function pageArea(view: LiveView): { readonly width: number; readonly height: number } {
  const { picture, mobile } = view
  if (picture === null) return { width: 1280, height: 800 }
  if (mobile === null) return { width: picture.width, height: picture.page_height }
  return shownArea(view)
}

/** Time left as `9:07`: the last second is shown as 0:01, and 0:00 only when it is over. */
export function minutesAndSeconds(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
