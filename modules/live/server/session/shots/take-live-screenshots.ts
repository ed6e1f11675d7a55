/** Screenshots of the page that is in front: what the browser itself draws, in the page's own pixels (PNG), numbered and dated. */
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hashFile } from '../../../../../platform/files/hash-file.ts'
import { BrowserGone, CdpError, CdpTimeout } from '../../../../../platform/browser/cdp-connection.ts'
import { makeThumbnail } from '../../../../../platform/pictures/make-thumbnail.ts'
import { UnreadablePng } from '../../../../../platform/pictures/read-png-rows.ts'
import {
  type InteractiveFacts,
  type CapturedFile,
  type CapturedImage,
  type ActionLog,
  pngSize,
  tileHeight,
  type Screenshots,
} from '../../../../capture/server/index.ts'
import type { LiveOutput, LiveScreenshot } from '../../../contract/live.ts'
import { interactiveLimits } from '../../../domain/interactive-limits.ts'
import { densityOf, patience, type Held, type Photograph, type Photographer } from './photograph-page.ts'
import type { Device, Tab } from '../tabs/tab.ts'
import type { Timeline } from '../timeline/timeline.ts'

type Kind = LiveScreenshot['kind']
export type ShotFailure = Extract<LiveOutput, { type: 'screenshot_failed' }>['reason']
/** Images of the page that are there, of so many. */
export type ShotProgress = (done: number, of: number) => void
export type ShotTaken = {
  readonly screenshot: LiveScreenshot
  readonly shots: Omit<Screenshots, 'viewportPng'> & { readonly png: Buffer }
}

export type LiveScreenshots = {
  take(tab: Tab | null, kind: Kind, automatic: boolean, progress?: ShotProgress): Promise<ShotTaken | ShotFailure>
  live(): readonly LiveScreenshot[]
  facts(): InteractiveFacts['screenshots']
  files(): readonly CapturedFile[]
}

/** Kept free of what visitors take: the end of the session takes two. */
const ofTheEnd = 2
const thumbnailWidth = 240

/** The tab shows another document than the one whose picture was begun. */
class PageChanged extends Error {
  override readonly name = 'PageChanged'
}

/** What whoever asked is told; null: a fault of ours. */
function refusalOf(error: unknown): ShotFailure | null {
  if (error instanceof PageChanged) return 'page_changed'
  if (error instanceof BrowserGone) return 'no_page'
  return error instanceof CdpTimeout || error instanceof CdpError ? 'no_answer' : null
}

export function createScreenshots(deps: {
  readonly workDir: string
  readonly timeline: Timeline
  readonly actions: ActionLog
  readonly maxHeight: number
  readonly device: () => Device
  readonly photograph: Photographer
  /** Has the images dated as soon as they are there. */
  readonly dateImages: (files: readonly CapturedFile[]) => Promise<void>
}): LiveScreenshots {
  const { timeline, workDir } = deps
  const live: LiveScreenshot[] = []
  const facts: InteractiveFacts['screenshots'][number][] = []
  const files: CapturedFile[] = []
  let busy = false

  /** The picture of which the thumbnail is made: the window, or as much of a page's top. */
  const thumbnailOf = async (file: string, rows: number): Promise<string> => {
    try {
      return `data:image/jpeg;base64,${(await makeThumbnail(file, { width: thumbnailWidth, rows })).toString('base64')}`
    } catch (error) {
      if (error instanceof UnreadablePng) return 'data:,'
      throw error
    }
  }

  const shoot = async (tab: Tab, kind: Kind, automatic: boolean, progress: ShotProgress): Promise<ShotTaken> => {
    const number = facts.length + 1
    const ms = timeline.ms()
    const { url, title, loader } = tab
    const own: CapturedFile[] = []
    const images: CapturedImage[] = []
    const held: Held[] = []
    const keep = async (taken: Photograph, name: string, index: number): Promise<void> => {
      const size = pngSize(taken.png)
      const path = `capture/${name}.png`
      const file = join(workDir, path.replaceAll('/', '-'))
      const role = kind === 'viewport' ? 'viewport_screenshot' : 'full_page_screenshot'
      own.push({ path, role, media_type: 'image/png', file })
      images.push({ path, kind, ...size, index })
      if (taken.held !== undefined) held.push(taken.held)
      await writeFile(file, taken.png, { flag: 'wx' })
    }
    const place = `screenshots/${String(number).padStart(3, '0')}`
    let png: Buffer = Buffer.alloc(0)
    let [pageHeight, capturedHeight] = [0, 0]
    let [done, of] = [0, 1]
    try {
      // The page as it is laid out; nothing is scrolled, and what is fixed to the window stands once.
      const layout = await tab.session.send('Page.getLayoutMetrics', {}, { timeoutMs: patience.silent })
      const { cssContentSize, cssLayoutViewport } = layout
      const density = densityOf(deps.device(), tab)
      if (kind === 'viewport') {
        const taken = await deps.photograph(tab, null)
        png = taken.png
        await keep(taken, automatic ? 'viewport' : `${place}-viewport`, 0)
      } else {
        const width = Math.max(1, Math.ceil(Math.max(cssLayoutViewport.clientWidth, Math.min(cssContentSize.width, 4_096))))
        pageHeight = Math.max(Math.ceil(cssContentSize.height), cssLayoutViewport.clientHeight)
        capturedHeight = Math.min(pageHeight, deps.maxHeight)
        const tile = Math.max(1, Math.floor(tileHeight / density))
        of = Math.ceil(capturedHeight / tile)
        for (; done < of; done += 1) {
          progress(done, of)
          const y = done * tile
          const one = await deps.photograph(tab, { y, width, height: Math.min(tile, capturedHeight - y) })
          if (done === 0) png = one.png
          const index = String(done + 1).padStart(3, '0')
          await keep(one, automatic ? `full-page-${index}` : `${place}-full-page-${index}`, done)
        }
      }
      // Tiles of two documents are no picture of a page.
      if (tab.loader !== loader) throw new PageChanged()
      const rows = kind === 'viewport' ? (images[0]?.height ?? 0) : Math.ceil(cssLayoutViewport.clientHeight * density)
      const thumbnail = await thumbnailOf(own[0]?.file ?? '', rows)
      files.push(...own)
      const paths = own.map(({ path }) => path)
      const times = held.filter((one) => one !== null)
      const picture = {
        ...(times.length === 0 ? {} : { held: times }),
        ...(times.length === held.length ? {} : { disturbed: true as const }),
      }
      facts.push({ number, kind, paths, ms, at: timeline.at(ms), tab: tab.number, url, title, automatic, ...picture })
      const screenshot = { number, kind, ms, url: url.slice(0, 2_000), thumbnail, automatic }
      live.push(screenshot)
      deps.actions.add('screenshot', { number, kind, paths, automatic })
      const pieces = await Promise.all(own.map(async ({ path, file }) => ({ path, sha256: await hashFile(file) })))
      timeline.add('screenshot', { number, kind, paths, tab: tab.number, url, automatic, ...picture, pieces })
      await deps.dateImages(own)
      return { screenshot, shots: { files: own, images, png, pageHeight, capturedHeight } }
    } catch (error) {
      // The next one has the same number: half a page is not kept under it.
      if (facts.length < number) for (const { file } of own) await rm(file, { force: true })
      const reason = refusalOf(error)
      if (reason === null) throw error
      deps.actions.add('screenshot_refused', { kind, automatic, reason, done, of })
      timeline.add('warning', { code: 'screenshot_refused', kind, automatic, reason, url, done, of })
      throw error
    }
  }

  return {
    take: async (tab, kind, automatic, progress = () => undefined) => {
      if (busy) return 'too_soon'
      if (facts.length >= interactiveLimits.screenshots - (automatic ? 0 : ofTheEnd)) return 'limit'
      if (tab === null || tab.crashed !== null) return 'no_page'
      // A dialog of the page holds everything that it draws.
      if (tab.dialog !== null) return 'no_answer'
      busy = true
      try {
        return await shoot(tab, kind, automatic, progress)
      } catch (error) {
        const reason = refusalOf(error)
        if (reason === null) throw error
        return reason
      } finally {
        busy = false
      }
    },
    live: () => live,
    facts: () => facts,
    files: () => files,
  }
}
