/** A live session as its transport sees it: who looks on, what they send, what they are told. */
import { DomainError } from '../../../../kernel/errors.ts'
import { BrowserGone } from '../../../../platform/browser/cdp-connection.ts'
import type { Log } from '../../../../platform/log/log.ts'
import type { InteractiveFacts } from '../../../capture/server/index.ts'
import { liveClose, type LiveInput, type LiveNotice, type LiveOutput, type LiveState } from '../../contract/live.ts'
import { interactiveLimits } from '../../domain/interactive-limits.ts'
import type { SlowSide } from '../../domain/slow-side.ts'
import type { PageAsks } from './wishes/answer-page.ts'
import type { CountDown } from './count-down.ts'
import { createFloodLimit, type FloodLimit } from './limit-floods.ts'
import { createInputQueue } from './input/order-input.ts'
import type { Picture } from './picture/start-picture.ts'
import type { Level } from './picture/viewer-lane.ts'
import type { Steering } from './input/steer-page.ts'
import type { Device } from './tabs/tab.ts'
import type { Tabs } from './tabs/tabs.ts'
import type { LiveScreenshots, ShotFailure, ShotProgress } from './shots/take-live-screenshots.ts'
import type { Timeline } from './timeline/timeline.ts'
import type { LiveSession, Viewer } from './viewers/viewer.ts'
import { createViewers, type Viewers } from './viewers/viewers.ts'

export type RunningSession = {
  readonly session: LiveSession
  readonly viewers: Viewers
  tell(code: LiveNotice, data: Readonly<Record<string, string | number>>): void
  send(message: LiveOutput): void
  /** What this viewer is sent of the picture, by what it acknowledged. */
  levelChanged(viewer: Viewer, level: Level, side: SlowSide): void
  /** The tabs have changed; told at most some times a second. */
  tabsChanged(): void
  phase(phase: LiveState['phase']): void
  /** Why the visitor's part ended. */
  readonly over: Promise<InteractiveFacts['ended_by']>
  end(why: InteractiveFacts['ended_by']): void
  /** What was sent before the end is done. */
  settle(): Promise<void>
  stop(): void
}

export type SessionParts = {
  readonly tabs: Tabs
  readonly steering: Steering
  readonly asks: PageAsks
  readonly shots: LiveScreenshots
  readonly picture: Pick<Picture, 'join' | 'leave' | 'acknowledge' | 'hear' | 'recording'>
  readonly countDown: CountDown
}

/** A hand sends some tens a second, a wheel and a pen some hundreds; a program that sends more is shut out. */
const flood = { burst: 1_500, perSecond: 500 }
const notices = { burst: 20, perSecond: 2 }
const slowNotice = { line: 'network_slow', ours: 'server_slow', device: 'device_slow' } as const
const tellTabsMs = 100
const tellStateMs = 5_000
const mostQueued = 2_000
/** Of pastes and of files on their way to the page, which may be busy: more than a whole upload. */
const mostQueuedBytes = interactiveLimits.uploadBytes + (16 << 20)

export function createLiveSession(deps: {
  readonly evidenceId: string
  readonly timeline: Timeline
  readonly log: Log
  readonly picture: { readonly width: number; readonly height: number; readonly pageHeight: number }
  readonly device: Device
  /** Made once the session has what it needs; asked for with each message. */
  readonly parts: () => SessionParts
  readonly onTabs: () => void
}): RunningSession {
  const { timeline, log, parts } = deps
  const floods = new Map<string, FloodLimit>()
  /** Who lost the right to be here: what waits of theirs is not done. */
  const shutOut = new Set<string>()
  const levels = new Map<string, Level>()
  const noticeLimits = new Map<string, FloodLimit>()
  const over = Promise.withResolvers<InteractiveFacts['ended_by']>()
  let phase: LiveState['phase'] = 'preparing'
  let tabsTimer: NodeJS.Timeout | undefined

  const state = (): LiveState => ({
    phase,
    remaining_ms: parts().countDown.remaining(),
    recording: (phase === 'capturing' || phase === 'preparing') && parts().picture.recording(),
  })
  const viewers = createViewers({
    timeline,
    controllerChanged: (controller) => {
      parts().countDown.steered(controller !== null)
      queue.push('release', () => parts().steering.release())
      if (controller === null) return
      for (const message of parts().asks.waiting()) controller.send(message)
    },
  })
  const queue = createInputQueue({
    most: mostQueued,
    mostBytes: mostQueuedBytes,
    failed: (error) => {
      if (!(error instanceof BrowserGone)) log.warn({ err: error }, 'an input of a live session failed')
    },
  })
  let stateTimer: NodeJS.Timeout | undefined
  const tellState = () => viewers.broadcast({ type: 'state', ...state() })

  const tell: RunningSession['tell'] = (code, data) => {
    const limit = noticeLimits.get(code) ?? createFloodLimit(notices)
    noticeLimits.set(code, limit)
    if (!limit.take()) return
    viewers.broadcast({ type: 'notice', code, data })
    if (code === 'picture_interrupted') tellState()
  }
  const tabsChanged = () => {
    tabsTimer ??= setTimeout(() => {
      tabsTimer = undefined
      viewers.broadcast({ type: 'tabs', tabs: parts().tabs.live() })
      deps.onTabs()
    }, tellTabsMs)
  }
  const welcome = (viewer: Viewer): LiveOutput => ({
    type: 'welcome',
    role: viewers.roleOf(viewer) ?? viewer.role,
    state: state(),
    picture: { width: deps.picture.width, height: deps.picture.height, page_height: deps.picture.pageHeight },
    mobile: deps.device.kind === 'mobile' ? { width: deps.device.width, height: deps.device.height } : null,
    tabs: parts().tabs.live(),
    screenshots: parts().shots.live(),
    limits: {
      tabs: interactiveLimits.tabs,
      upload_bytes: interactiveLimits.uploadBytes,
      download_bytes: interactiveLimits.downloadBytes,
    },
  })
  const end: RunningSession['end'] = (why) => over.resolve(why)

  /** In order with what was sent before. @throws DomainError */
  const inOrder = <T>(run: () => Promise<T>, bytes = 0): Promise<T> => {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    if (phase !== 'capturing') return Promise.reject(new DomainError('conflict', 'live.not_capturing'))
    const waits = async () => {
      if (phase !== 'capturing') return reject(new DomainError('conflict', 'live.not_capturing'))
      await run().then(resolve, reject)
    }
    const pushed = queue.push('call', waits, bytes)
    if (!pushed) reject(new DomainError('limited', 'live.too_soon'))
    return promise
  }
  const shoot = (kind: 'viewport' | 'full_page', progress?: ShotProgress) =>
    inOrder(() => parts().shots.take(parts().tabs.active(), kind, false, progress))

  const screenshot = (viewer: Viewer, kind: 'viewport' | 'full_page', id: number) => {
    const failed = (reason: ShotFailure) => viewer.send({ type: 'screenshot_failed', id, reason })
    shoot(kind, (done, of) => viewer.send({ type: 'screenshot_progress', id, done, of })).then(
      (taken) => {
        if (typeof taken === 'string') return failed(taken)
        for (const one of viewers.all())
          one.send({ type: 'screenshot', id: one === viewer ? id : null, screenshot: taken.screenshot })
      },
      () => failed('no_answer'),
    )
  }

  const mayAct = (viewer: Viewer) => phase === 'capturing' && !shutOut.has(viewer.id)
  const steer = (viewer: Viewer, message: LiveInput): void => {
    const { asks, steering } = parts()
    switch (message.type) {
      case 'quit':
        return end('visitor')
      case 'screenshot':
        return screenshot(viewer, message.kind, message.id)
      case 'paste':
        inOrder(() => steering.paste(message.text, message.secret), 2 * message.text.length).then(
          (result) => viewer.send({ type: 'pasted', id: message.id, result }),
          () => viewer.send({ type: 'pasted', id: message.id, result: 'refused' }),
        )
        return
      case 'credentials':
        return asks.giveCredentials(message.id, message.user, message.password)
      case 'decline':
        return asks.decline(message.id)
      case 'upload':
        inOrder(() => asks.giveFiles(message.id, message.files)).then(
          (taken) => (taken ? undefined : tell('upload_refused', {})),
          () => tell('upload_refused', {}),
        )
        return
      default: {
        const kind = message.type === 'pointer' && message.kind === 'move' ? 'move' : message.type
        const act = () => (mayAct(viewer) ? parts().steering.act(message) : Promise.resolve())
        if (!queue.push(kind, act)) viewer.close(liveClose.flooded, 'too much input')
      }
    }
  }

  const session: LiveSession = {
    evidenceId: deps.evidenceId,
    join: (viewer) => {
      if (phase === 'ended') return viewer.close(liveClose.ended, 'the session is over')
      const away = viewers.isAway()
      viewers.join(viewer)
      const role = viewers.roleOf(viewer)
      if (role === null) return
      viewer.send(welcome(viewer))
      if (away && role === 'controller') viewer.send({ type: 'notice', code: 'reconnected', data: {} })
      parts().picture.join(viewer)
    },
    leave: (viewer, how) => {
      if (how !== undefined && 'shutOut' in how) shutOut.add(viewer.id)
      floods.delete(viewer.id)
      levels.delete(viewer.id)
      parts().picture.leave(viewer)
      viewers.leave(viewer, how)
    },
    receive: (viewer, message) => {
      const role = viewers.roleOf(viewer)
      if (role === null) return
      if (message.type === 'acknowledge') return parts().picture.acknowledge(viewer, message.picture, message.held)
      const limit = floods.get(viewer.id) ?? createFloodLimit(flood)
      floods.set(viewer.id, limit)
      if (!limit.take()) return viewer.close(liveClose.flooded, 'too many messages')
      if (message.type === 'sound') return parts().picture.hear(viewer, message.on)
      if (message.type === 'ping') return viewer.send({ type: 'pong', at: message.at })
      if (message.type === 'countersign') {
        const done = phase === 'capturing' ? viewers.countersign(viewer, message.name, message.statement) : null
        if (done !== null) viewers.broadcast({ type: 'countersigned', ...done })
        return
      }
      if (message.type === 'take_control') {
        if (viewers.takeControl(viewer)) tell('controller_changed', {})
        return
      }
      if (role === 'controller' && phase === 'capturing') steer(viewer, message)
    },
    receiveBytes: (viewer, bytes) => {
      if (viewers.roleOf(viewer) !== 'controller' || phase !== 'capturing') return
      // Copied: the transport may use the room again.
      const own = Uint8Array.from(bytes)
      const give = async () => {
        if (!(await parts().asks.giveBytes(own))) tell('upload_refused', {})
      }
      const pushed = queue.push('bytes', give, own.length)
      if (!pushed) viewer.close(liveClose.flooded, 'too much input')
    },
    call: async (name) => {
      if (name === 'quit_interactivity') {
        if (phase === 'preparing') throw new DomainError('conflict', 'live.not_capturing')
        return end('visitor')
      }
      const taken = await shoot(name === 'viewport_screenshot' ? 'viewport' : 'full_page')
      if (typeof taken === 'string') {
        const limited = taken === 'limit' || taken === 'too_soon'
        throw new DomainError(limited ? 'limited' : 'conflict', `live.${taken}`)
      }
      viewers.broadcast({ type: 'screenshot', id: null, screenshot: taken.screenshot })
    },
    paste: async (text, secret) => {
      const result = await inOrder(() => parts().steering.paste(text, secret), 2 * text.length)
      if (result !== 'pasted') throw new DomainError('conflict', `live.${result}`)
    },
  }
  return {
    session,
    viewers,
    tell,
    send: (message) => viewers.broadcast(message),
    levelChanged: (viewer, level, side) => {
      const before = levels.get(viewer.id) ?? 'full'
      levels.set(viewer.id, level)
      timeline.add('viewer', { act: 'quality', viewer: viewers.numberOf(viewer), level, ...(level === 'full' ? {} : { side }) })
      if ((before === 'full') === (level === 'full')) return
      viewer.send({ type: 'notice', code: level === 'full' ? 'picture_recovered' : slowNotice[side], data: {} })
    },
    tabsChanged,
    phase: (next) => {
      phase = next
      tellState()
      // Not before there is something to tell of: what begins may take long, or fail.
      if (next === 'capturing') stateTimer ??= setInterval(tellState, tellStateMs).unref()
    },
    over: over.promise,
    end,
    settle: async () => {
      await queue.idle()
    },
    stop: () => {
      clearInterval(stateTimer)
      clearTimeout(tabsTimer)
    },
  }
}
