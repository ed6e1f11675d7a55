/**
 * What a viewer and a live session say to each other over one WebSocket (design: interactive §2). The first message of a viewer
 * is `hello`; whatever is not of these shapes ends the connection. Pixels are those of the recorded picture: the page's area
 * begins at its top left corner, the strip that is burnt in lies below it.
 *
 * Binary messages, session to viewer: octet 0 the kind (`liveFrame`), octet 1 flags (`liveFlag`), octets 2–5 a
 * number that grows by one with each picture, octets 6–13 the time in microseconds since the recording began (both unsigned,
 * big-endian), then the bytes. Viewer to session: octet 0 is 32, octets 1–4 the number of the upload, 5–6 that of its file.
 */
import { z } from 'zod'
import type { SlowSide } from '../domain/slow-side.ts'

export const liveFrame = {
  /** AVCDecoderConfigurationRecord (ISO/IEC 14496-15); precedes the first picture and each change. */
  videoConfig: 1,
  /** One access unit, lengths before its units, as it stands in the recording. */
  video: 2,
  /** OpusHead (RFC 7845). */
  audioConfig: 3,
  /** One Opus packet, as it stands in the recording. */
  audio: 4,
  /** One picture as JPEG, for viewers that cannot decode H.264. */
  jpeg: 5,
  /** Viewer to session: bytes of a file that the page asked for. */
  upload: 32,
} as const
export const liveFrameHead = 14
/** `repeated`: from before the present, to be decoded and not necessarily shown; the picture after the last of them is now. */
export const liveFlag = { key: 1, repeated: 2 } as const

/** Close codes of the WebSocket. */
export const liveClose = { ended: 4000, refused: 4001, replaced: 4002, malformed: 4003, lost: 4004, flooded: 4005 } as const

const coordinate = z.number().min(-16_384).max(16_384)
const id = z.int().min(0).max(0xffff_ffff)
/** KeyboardEvent.code and .key of UI Events. */
const keyName = z.string().min(1).max(32)
const modifiers = z.int().min(0).max(15)

export const liveInput = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('hello'),
    ticket: z.string().max(600),
    /** `jpeg`: no decoder for H.264. `null`: no picture (a test, a reader of the text alone). */
    video: z.enum(['h264', 'jpeg']).nullable(),
    audio: z.boolean(),
    touch: z.boolean(),
  }),
  z.object({
    type: z.literal('pointer'),
    kind: z.enum(['move', 'down', 'up', 'wheel']),
    x: coordinate,
    y: coordinate,
    /** As MouseEvent.button; of `down` and `up`. */
    button: z.int().min(0).max(4).default(0),
    dx: z.number().min(-4096).max(4096).default(0),
    dy: z.number().min(-4096).max(4096).default(0),
  }),
  z.object({
    type: z.literal('touch'),
    kind: z.enum(['start', 'move', 'end', 'cancel']),
    points: z.array(z.object({ id, x: coordinate, y: coordinate, force: z.number().min(0).max(1).default(0.5) })).max(10),
  }),
  z.object({
    type: z.literal('key'),
    kind: z.enum(['down', 'up']),
    code: z.string().max(32),
    key: keyName,
    /** 1 Alt, 2 Control, 4 Meta, 8 Shift. */
    modifiers: modifiers.default(0),
    repeat: z.boolean().default(false),
  }),
  /** Text that arrived whole: a dead key, a suggestion, an emoji, the end of a composition. */
  z.object({ type: z.literal('text'), text: z.string().min(1).max(10_000) }),
  z.object({ type: z.literal('compose'), text: z.string().max(1_000), start: z.int().min(0), end: z.int().min(0) }),
  /** Sets the clipboard and pastes, as one. A secret stands in no piece (decision H-45). */
  z.object({ type: z.literal('paste'), id, text: z.string().min(1).max(1_000_000), secret: z.boolean() }),
  /** Every key and button that is down goes up. */
  z.object({ type: z.literal('release') }),
  z.object({ type: z.literal('navigate'), url: z.string().min(1).max(8_192) }),
  z.object({ type: z.literal('history'), to: z.enum(['back', 'forward', 'reload', 'stop']) }),
  z.object({ type: z.literal('zoom'), percent: z.int().min(25).max(300) }),
  z.object({ type: z.literal('tab'), act: z.enum(['new', 'select', 'close']), tab: z.string().max(64).optional() }),
  z.object({ type: z.literal('screenshot'), kind: z.enum(['viewport', 'full_page']), id }),
  z.object({ type: z.literal('credentials'), id, user: z.string().max(1_000), password: z.string().max(1_000) }),
  z.object({
    type: z.literal('upload'),
    id,
    files: z.array(z.object({ name: z.string().min(1).max(255), bytes: z.int().min(0) })).max(20),
  }),
  /** The page's wish (credentials, files) is turned down. */
  z.object({ type: z.literal('decline'), id }),
  /** `held`: milliseconds from its arrival to its being drawn. */
  z.object({ type: z.literal('acknowledge'), picture: id, held: z.number().min(0).max(60_000).optional() }),
  /** Whether this viewer wants to hear the session from now on; `hello` says it of the beginning. */
  z.object({ type: z.literal('sound'), on: z.boolean() }),
  z.object({ type: z.literal('take_control') }),
  z.object({
    type: z.literal('countersign'),
    name: z.string().trim().min(1).max(200),
    statement: z.string().trim().min(1).max(2_000),
  }),
  z.object({ type: z.literal('ping'), at: z.number() }),
  z.object({ type: z.literal('quit') }),
])
export type LiveInput = z.output<typeof liveInput>
export type LiveInputSent = z.input<typeof liveInput>

/** `controller`: its input counts; one at a time. `watcher`: holds the draft, looks on. `witness`: was invited, looks on, may countersign. */
export const liveRoles = ['controller', 'watcher', 'witness'] as const
export type LiveRole = (typeof liveRoles)[number]

export type LiveTab = {
  readonly id: string
  /** Hostile text. */
  readonly title: string
  readonly url: string
  readonly active: boolean
  readonly loading: boolean
  readonly back: boolean
  readonly forward: boolean
  /** `secure`: TLS without complaint; `weak`: TLS, but the browser does not call the page secure, as when parts of it came without; `certificate_error`; `plain`: not encrypted; `none`: no document yet. */
  readonly security: 'secure' | 'weak' | 'certificate_error' | 'plain' | 'none'
  /** net::ERR_… of a document that did not come. */
  readonly failure: string | null
}

export type LiveScreenshot = {
  readonly number: number
  readonly kind: 'viewport' | 'full_page'
  /** Milliseconds since the recording began. */
  readonly ms: number
  readonly url: string
  /** data: address of a small JPEG. */
  readonly thumbnail: string
  /** Taken by the end of the session itself. */
  readonly automatic: boolean
}

/** Message id suffix `live.notice.<code>` with its figures. */
export const liveNotices = [
  'tab_limit',
  'popup_blocked',
  'download_kept',
  'download_refused',
  'permission_denied',
  'navigation_refused',
  'page_crashed',
  'browser_gone',
  'picture_interrupted',
  'sound_interrupted',
  'dialog_open',
  'reconnected',
  'controller_changed',
  'secret_masked',
  'secret_refused',
  'network_slow',
  'server_slow',
  'device_slow',
  'picture_recovered',
  'two_minutes',
  'thirty_seconds',
  'time_up',
  'upload_refused',
  'certificate_error',
  'login_refused',
  'limit_bytes_near',
  'limit_bytes',
  'limit_requests',
] as const
export type LiveNotice = (typeof liveNotices)[number]

export type LiveState = {
  readonly phase: 'preparing' | 'capturing' | 'completing' | 'ended'
  /** Of the ten minutes; null before they begin. */
  readonly remaining_ms: number | null
  readonly recording: boolean
}

export type LiveOutput =
  | {
      readonly type: 'welcome'
      readonly role: LiveRole
      readonly state: LiveState
      /** Recorded picture and, in it, the page's area. */
      readonly picture: { readonly width: number; readonly height: number; readonly page_height: number }
      /** Emulated phone, when one was asked for: the page's own pixels. */
      readonly mobile: { readonly width: number; readonly height: number } | null
      readonly tabs: readonly LiveTab[]
      readonly screenshots: readonly LiveScreenshot[]
      readonly limits: { readonly tabs: number; readonly upload_bytes: number; readonly download_bytes: number }
    }
  | ({ readonly type: 'state' } & LiveState)
  | { readonly type: 'tabs'; readonly tabs: readonly LiveTab[] }
  | { readonly type: 'screenshot'; readonly id: number | null; readonly screenshot: LiveScreenshot }
  | {
      readonly type: 'screenshot_failed'
      readonly id: number
      readonly reason: 'too_soon' | 'limit' | 'no_answer' | 'no_page' | 'page_changed'
    }
  /** To whoever asked for it: how many of the images of which it is made are there. */
  | { readonly type: 'screenshot_progress'; readonly id: number; readonly done: number; readonly of: number }
  | { readonly type: 'pasted'; readonly id: number; readonly result: 'pasted' | 'no_field' | 'refused' }
  | { readonly type: 'notice'; readonly code: LiveNotice; readonly data: Readonly<Record<string, string | number>> }
  /** Of the element with the focus: what a phone's keyboard opens for. `masked`: what is typed there is a secret. */
  | { readonly type: 'focus'; readonly editable: boolean; readonly input_mode: string; readonly masked: boolean }
  | { readonly type: 'ask_credentials'; readonly id: number; readonly origin: string; readonly realm: string }
  /** What was asked for under this number is wanted no more. */
  | { readonly type: 'ask_ended'; readonly id: number }
  | { readonly type: 'ask_files'; readonly id: number; readonly multiple: boolean; readonly accept: string }
  | { readonly type: 'viewers'; readonly controllers: number; readonly watchers: number; readonly witnesses: readonly string[] }
  | { readonly type: 'role'; readonly role: LiveRole }
  /** What this viewer is sent, and why it is not more; the recording is whole whatever it says. */
  | {
      readonly type: 'picture_quality'
      readonly level: 'full' | 'fewer_frames' | 'coarser'
      readonly frames_per_second: number
      readonly side: SlowSide
    }
  | { readonly type: 'countersigned'; readonly name: string; readonly at: string }
  | { readonly type: 'pong'; readonly at: number }
