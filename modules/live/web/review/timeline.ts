/** The timeline of a session (`probant-timeline/1`) as a reviewer reads it: parsed line by line, each told in one sentence. */
import type { Locale } from '../../../../kernel/locale.ts'
import { visible } from '../../../../ui/intl/visible.ts'

export type TimelineLine = {
  readonly n: number
  readonly ms: number
  readonly at: string
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
}

/** What the visitor may look for, each a group of types. `moves` are ten a second and hidden at first. */
export const lineGroups = [
  'pages',
  'input',
  'moves',
  'shots',
  'exchanges',
  'files',
  'masked',
  'people',
  'recording',
  'pictures',
] as const
export type LineGroup = (typeof lineGroups)[number]

const groupOfType: Readonly<Record<string, LineGroup>> = {
  navigation: 'pages',
  tab: 'pages',
  history: 'pages',
  zoom: 'pages',
  dialog: 'pages',
  pointer: 'input',
  touch: 'input',
  key: 'input',
  text: 'input',
  paste: 'input',
  request: 'exchanges',
  screenshot: 'shots',
  download: 'files',
  upload: 'files',
  secret: 'masked',
  credentials: 'masked',
  viewer: 'people',
  witness: 'people',
}

export function groupOf({ type, data }: TimelineLine): LineGroup {
  if (type === 'pointer' && data['kind'] === 'move') return 'moves'
  // What was pressed is told; that it was let go again is looked for by few.
  if (type === 'key' && data['kind'] === 'up') return 'moves'
  if (type === 'video' && data['gap'] === undefined) return 'pictures'
  return Object.hasOwn(groupOfType, type) ? (groupOfType[type] ?? 'recording') : 'recording'
}

/** `12:04.250` into the recording, `12:04,250` in French; what came before it began is at its start. */
export function clockOf(ms: number, locale: Locale): string {
  const whole = Math.max(0, Math.floor(ms))
  const minutes = Math.floor(whole / 60_000)
  const seconds = String(Math.floor(whole / 1000) % 60).padStart(2, '0')
  return `${minutes}:${seconds}${locale === 'fr' ? ',' : '.'}${String(whole % 1000).padStart(3, '0')}`
}

/** Texts of pages and visitors are hostile, and as long as they like. */
const said = (value: unknown, most = 300): string => {
  const text = typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
  return visible(text.length > most ? `${text.slice(0, most)}…` : text)
}
const whole = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? Math.round(value) : 0)

type Told = { readonly id: string; readonly values: Readonly<Record<string, string | number>> }

/** The names of kinds that a line can have; one that is not among them is told by its type and its data. */
const forms: Readonly<Record<string, readonly string[]>> = {
  session: ['began', 'visit_ended'],
  pointer: ['move', 'down', 'up', 'wheel'],
  touch: ['start', 'end', 'cancel', 'move'],
  key: ['down', 'up'],
  navigation: ['asked', 'refused', 'arrived', 'within', 'failed'],
  tab: ['opened', 'closed', 'select', 'close', 'blocked', 'refused'],
  history: ['back', 'forward', 'reload', 'stop'],
  zoom: ['set'],
  text: ['typed', 'masked', 'composing'],
  paste: ['pasted', 'masked'],
  dialog: ['opened', 'closed', 'dismissed'],
  request: ['answered', 'failed'],
  screenshot: ['taken', 'automatic', 'held', 'disturbed'],
  download: ['kept', 'refused'],
  upload: ['asked', 'declined', 'given', 'refused'],
  secret: ['masked'],
  credentials: ['asked', 'given', 'declined', 'refused', 'expired', 'withdrawn'],
  viewer: ['joins', 'leaves', 'shut_out', 'controls', 'quality'],
  witness: ['joins', 'leaves', 'shut_out', 'countersigns'],
  warning: [
    'time',
    'certificate_error',
    'certificate_passed',
    'limit_requests',
    'limit_bytes',
    'limit_bytes_near',
    'permission_denied',
    'script_ended',
    'graphics_restarted',
    'page_ended',
    'screenshot_refused',
  ],
  crash: ['happened', 'recovered', 'lost'],
  video: ['group', 'gap'],
  timestamp: ['asked'],
  end: ['ended'],
}

/** Every message that `tell` may name; tests hold the catalogues to it. */
export const toldIds: readonly string[] = [
  ...Object.entries(forms).flatMap(([type, kinds]) => kinds.map((kind) => `review.line.${type}.${kind}`)),
  'review.line.key.masked',
  'review.line.other',
]

/** For how long the recorded picture was kept as it stood, in milliseconds. */
function heldMs(times: unknown): number {
  if (!Array.isArray(times)) return 0
  return (times as readonly Readonly<Record<string, unknown>>[]).reduce(
    (sum, one) => sum + Math.max(0, whole(one['to_ms']) - whole(one['from_ms'])),
    0,
  )
}

function formOf({ type, data }: TimelineLine): string | null {
  const { act, kind } = data
  switch (type) {
    case 'session':
      return typeof act === 'string' ? act : 'began'
    case 'key':
      return data['masked'] === true && data['key'] === undefined ? 'masked' : typeof kind === 'string' ? kind : null
    case 'text':
      return data['masked'] === true ? 'masked' : data['composing'] === true ? 'composing' : 'typed'
    case 'paste':
      return data['masked'] === true ? 'masked' : 'pasted'
    case 'navigation':
      if (typeof act === 'string') return act
      return data['failure'] !== undefined ? 'failed' : data['within'] === true ? 'within' : 'arrived'
    case 'history':
      return said(data['to'])
    case 'zoom':
      return 'set'
    case 'request':
      return data['failure'] == null ? 'answered' : 'failed'
    case 'screenshot':
      if (data['automatic'] === true) return 'automatic'
      return data['disturbed'] === true ? 'disturbed' : heldMs(data['held']) > 0 ? 'held' : 'taken'
    case 'download':
      return data['refused'] == null ? 'kept' : 'refused'
    case 'secret':
      return 'masked'
    case 'warning':
      return said(data['code'])
    case 'crash':
      return data['lost'] === true ? 'lost' : data['recovered'] === true ? 'recovered' : 'happened'
    case 'video':
      return data['gap'] === undefined ? 'group' : 'gap'
    case 'timestamp':
      return 'asked'
    case 'end':
      return 'ended'
    default:
      return typeof act === 'string' ? act : typeof kind === 'string' ? kind : null
  }
}

/** The sentence for a line: an id of the catalogue and its values, all of them made visible and cut. */
export function tell(line: TimelineLine, locale: Locale): Told {
  const { type, data } = line
  const form = formOf(line)
  const known = form !== null && (forms[type]?.includes(form) === true || (type === 'key' && form === 'masked'))
  if (!known) return { id: 'review.line.other', values: { type: said(type, 40), data: said(JSON.stringify(data)) } }
  const point = Array.isArray(data['points']) ? (data['points'] as readonly Record<string, unknown>[])[0] : undefined
  const gap = data['gap'] as Readonly<Record<string, unknown>> | undefined
  return {
    id: `review.line.${type}.${form}`,
    values: {
      url: said(data['url'] ?? data['requested_url'], 500),
      status: said(data['status'] ?? '–'),
      failure: said(data['failure'] ?? data['refused'] ?? data['reason'] ?? data['error']),
      cause: said(data['cause']),
      method: said(data['method'], 20),
      kind: said(data['kind'], 40),
      tab: whole(data['tab'] ?? data['opener']),
      x: whole(data['x'] ?? point?.['x']),
      y: whole(data['y'] ?? point?.['y']),
      dx: whole(data['dx']),
      dy: whole(data['dy']),
      button: whole(data['button']),
      key: said(data['key'] === ' ' ? '␣' : (data['key'] ?? data['code']), 40),
      text: said(data['text'] ?? data['message'] ?? data['statement']),
      percent: whole(data['percent']),
      number: whole(data['number']),
      name: said(data['name'] ?? data['user']),
      bytes: whole(data['bytes']),
      origin: said(data['origin'] ?? data['url']),
      viewer: whole(data['viewer']),
      witness: said(data['witness']),
      level: said(data['level'], 40),
      side: said(data['side'] ?? '', 40),
      minutes: whole(data['left_ms']) >= 60_000 ? Math.round(whole(data['left_ms']) / 60_000) : 0,
      seconds:
        type === 'screenshot'
          ? Math.max(0.1, Math.round(heldMs(data['held']) / 100) / 10)
          : Math.round(whole(data['left_ms']) / 1000),
      images: whole(data['done']),
      of: whole(data['of']),
      what: said(data['what'], 40),
      why: said(data['why'], 40),
      accepted: data['accepted'] === true ? 'yes' : 'no',
      from: gap === undefined ? '' : clockOf(whole(gap['from_us']) / 1000, locale),
      to: gap === undefined ? '' : clockOf(whole(gap['to_us']) / 1000, locale),
    },
  }
}

/** One line of the file, or null when it is none. Nothing of it is trusted but its shape. */
export function parseLine(text: string): TimelineLine | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return null
  }
  if (typeof value !== 'object' || value === null) return null
  const { n, ms, at, type, data } = value as Readonly<Record<string, unknown>>
  if (typeof n !== 'number' || typeof ms !== 'number' || typeof at !== 'string' || typeof type !== 'string') return null
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return null
  return { n, ms, at, type, data: data as Readonly<Record<string, unknown>> }
}

/** Index of the last line that is not after `ms`; -1: all are. Lines stand in the order of time. */
export function lineAt(lines: readonly Pick<TimelineLine, 'ms'>[], ms: number): number {
  let [low, high] = [0, lines.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((lines[middle]?.ms ?? 0) <= ms) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** How long after a navigation its document may be told of before or after it, in milliseconds. */
const nearMs = 10_000

/** The line of the exchange that `line` is, or that brought the page it speaks of; null: none was told of. */
export function exchangeOf(lines: readonly TimelineLine[], line: TimelineLine): TimelineLine | null {
  if (line.type === 'request') return line
  if (line.type !== 'navigation' || line.data['act'] !== undefined) return null
  const address = (value: unknown) => String(value).split('#')[0]
  const at = address(line.data['url'])
  const from = lineAt(lines, line.ms - nearMs) + 1
  let best: TimelineLine | null = null
  for (let i = from; i < lines.length; i += 1) {
    const one = lines[i]
    if (one === undefined || one.ms > line.ms + nearMs) break
    if (one.type !== 'request' || one.data['kind'] !== 'Document' || address(one.data['url']) !== at) continue
    if (best === null || Math.abs(one.ms - line.ms) < Math.abs(best.ms - line.ms)) best = one
  }
  return best
}
