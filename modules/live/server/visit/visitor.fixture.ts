/** A visitor for tests: a viewer without a picture, that remembers what it is told and waits for it. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../../../kernel/clock.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { liveInput, type LiveInputSent, type LiveOutput, type LiveTab } from '../../contract/live.ts'
import { defaultCaptureLimits } from '../../../capture/domain/outcome/limits.ts'
import type { CaptureResult } from '../../../capture/domain/outcome/outcome.ts'
import { captureInteractive } from './capture-interactive.ts'
import type { InteractiveDeps, InteractiveInput } from './visit-input.ts'
import type { LiveSession, Viewer } from '../session/viewers/viewer.ts'

export type Told<T extends LiveOutput['type']> = Extract<LiveOutput, { type: T }>

export type TestViewer = {
  readonly viewer: Viewer
  readonly messages: readonly LiveOutput[]
  readonly closed: readonly (readonly [number, string])[]
  /** The first message of that type that fits, whether it has come already or not. */
  told<T extends LiveOutput['type']>(type: T, fits?: (message: Told<T>) => boolean): Promise<Told<T>>
  /** From now on only what comes later counts. */
  forget(): void
}

export function testViewer(id: string, given: Partial<Pick<Viewer, 'role' | 'witness'>> = {}): TestViewer {
  const messages: LiveOutput[] = []
  const closed: [number, string][] = []
  let from = 0
  let waiting: (() => void)[] = []
  const wake = () => {
    const woken = waiting
    waiting = []
    for (const one of woken) one()
  }
  const told: TestViewer['told'] = async (type, fits = () => true) => {
    for (;;) {
      const found = messages
        .slice(from)
        .filter((message): message is Told<typeof type> => message.type === type)
        .find(fits)
      if (found !== undefined) return found
      await new Promise<void>((resolve) => waiting.push(resolve))
    }
  }
  return {
    viewer: {
      id,
      role: given.role ?? 'controller',
      witness: given.witness ?? null,
      wants: { video: null, audio: false, touch: false },
      send: (message) => {
        messages.push(message)
        wake()
      },
      sendBytes: () => 0,
      waiting: () => 0,
      close: (code, reason) => {
        closed.push([code, reason])
        wake()
      },
    },
    messages,
    closed,
    told,
    forget: () => {
      from = messages.length
    },
  }
}

export type TestVisit = TestViewer & {
  readonly session: LiveSession
  readonly workDir: string
  readonly result: Promise<CaptureResult>
  send(message: LiveInputSent): void
  click(x: number, y: number): void
  type(text: string): void
  key(code: string, key: string, modifiers?: number): void
  tab(fits: (tab: LiveTab) => boolean): Promise<LiveTab>
  end(): Promise<void>
}

/** Starts a session and joins it as soon as it takes viewers. */
export async function startVisit(
  url: string,
  allowAddresses: readonly string[],
  given: { readonly input?: Partial<InteractiveInput>; readonly deps?: Partial<InteractiveDeps> } = {},
): Promise<TestVisit> {
  const workDir = await mkdtemp(join(tmpdir(), 'probant-visit-'))
  const viewer = testViewer('viewer-1')
  const ending = new AbortController()
  const { promise, resolve, reject } = Promise.withResolvers<LiveSession>()
  const result = captureInteractive(
    {
      evidenceId: 'test',
      url,
      locale: 'fr',
      workDir,
      limits: defaultCaptureLimits,
      allowAddresses,
      includeTlsKeys: true,
      onProgress: () => undefined,
      device: 'desktop',
      sessionMs: 10 * 60_000,
      graceMs: 60_000,
      sessions: {
        add: (session) => {
          session.join(viewer.viewer)
          resolve(session)
        },
        remove: () => undefined,
        find: () => null,
      },
      ...given.input,
    },
    { clock: systemClock, log: silentLog, signal: ending.signal, isolationOverride: false, ...given.deps },
  )
  result.catch(reject)
  const session = await promise
  const send = (message: LiveInputSent) => session.receive(viewer.viewer, liveInput.parse(message))
  return {
    ...viewer,
    session,
    workDir,
    result,
    send,
    click: (x, y) => {
      for (const kind of ['down', 'up'] as const) send({ type: 'pointer', kind, x, y })
    },
    type: (text) => {
      for (const key of Array.from(text))
        for (const kind of ['down', 'up'] as const)
          send({ type: 'key', kind, code: /^[a-z]$/.test(key) ? `Key${key.toUpperCase()}` : '', key })
    },
    key: (code, key, modifiers = 0) => {
      for (const kind of ['down', 'up'] as const) send({ type: 'key', kind, code, key, modifiers })
    },
    tab: async (fits) => (await viewer.told('tabs', ({ tabs }) => tabs.some(fits))).tabs.find(fits) as LiveTab,
    end: async () => {
      ending.abort(new Error('the test is over'))
      await result.catch(() => undefined)
      await rm(workDir, { recursive: true, force: true })
    },
  }
}
