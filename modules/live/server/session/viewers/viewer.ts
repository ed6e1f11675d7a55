import type { LiveInput, LiveOutput, LiveRole } from '../../../contract/live.ts'

/** One connected viewer, whatever carries its messages. Made by the transport, used by the session. */
export type Viewer = {
  /** Of this connection alone. */
  readonly id: string
  readonly role: LiveRole
  /** Name or label of an invited witness; null for holders of the draft. */
  readonly witness: { readonly id: string; readonly label: string } | null
  readonly wants: { readonly video: 'h264' | 'jpeg' | null; readonly audio: boolean; readonly touch: boolean }
  send(message: LiveOutput): void
  /** @returns bytes that wait to leave this process, after this one */
  sendBytes(bytes: Uint8Array): number
  /** Bytes that wait to leave this process. */
  waiting(): number
  /** One of `liveClose`. Idempotent. */
  close(code: number, reason: string): void
}

/**
 * `silentMs`: since it was last heard of; the message of a viewer that is well comes every few seconds. `shutOut`: it lost the right to be
 * here; what it sent and was not done yet is not done any more.
 */
export type Leaving = { readonly silentMs: number } | { readonly shutOut: true }

/** A live session as its transport sees it. Every message was checked for its shape; nothing here throws. */
export type LiveSession = {
  readonly evidenceId: string
  /** Another controller becomes a watcher. */
  join(viewer: Viewer): void
  receive(viewer: Viewer, message: LiveInput): void
  receiveBytes(viewer: Viewer, bytes: Uint8Array): void
  leave(viewer: Viewer, how?: Leaving): void
  /** The calls of the specification, without a viewer. @throws DomainError `live.not_capturing`, `live.too_soon`, `live.no_field` … */
  call(name: 'viewport_screenshot' | 'full_page_screenshot' | 'quit_interactivity'): Promise<void>
  paste(text: string, secret: boolean): Promise<void>
}

/** Where running sessions are found by the transport of this process. */
export type LiveSessions = {
  add(session: LiveSession): void
  remove(evidenceId: string): void
  find(evidenceId: string): LiveSession | null
}
