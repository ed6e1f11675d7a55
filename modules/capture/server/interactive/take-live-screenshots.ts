/** Screenshots of the page that is in front: what the browser itself draws, in the page's own pixels (PNG), numbered and dated. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hashFile } from '../../../../platform/files/hash-file.ts'
import { BrowserGone, CdpError, CdpTimeout } from '../../../../platform/browser/cdp-connection.ts'
import type { LiveScreenshot } from '../../contract/live.ts'
import { interactiveLimits, type InteractiveFacts } from '../../domain/interactive-facts.ts'
import type { CapturedFile, CapturedImage } from '../../domain/outcome.ts'
import type { ActionLog } from '../action-log.ts'
import { pngSize, tileHeight, type Screenshots } from '../take-screenshots.ts'
import type { Device, Tab } from './tab.ts'
import type { Timeline } from './timeline.ts'

type Kind = LiveScreenshot['kind']
export type ShotFailure = 'too_soon' | 'limit' | 'no_answer' | 'no_page'
export type ShotTaken = {
  readonly screenshot: LiveScreenshot
  readonly shots: Omit<Screenshots, 'viewportPng'> & { readonly png: Buffer }
}

export type LiveScreenshots = {
  take(tab: Tab | null, kind: Kind, automatic: boolean): Promise<ShotTaken | ShotFailure>
  live(): readonly LiveScreenshot[]
  facts(): InteractiveFacts['screenshots']
  files(): readonly CapturedFile[]
}

/** Kept free of what visitors take: the end of the session takes two. */
const ofTheEnd = 2
const thumbnailWidth = 240
/** A page that is busy for longer is not photographed: whoever steers waits as long. */
const answerMs = 8_000

export function createScreenshots(deps: {
  readonly workDir: string
  readonly timeline: Timeline
  readonly actions: ActionLog
  readonly maxHeight: number
  readonly device: () => Device
  /** Has the images dated as soon as they are there. */
  readonly dateImages: (files: readonly CapturedFile[]) => Promise<void>
}): LiveScreenshots {
  const { timeline, workDir } = deps
  const live: LiveScreenshot[] = []
  const facts: InteractiveFacts['screenshots'][number][] = []
  const files: CapturedFile[] = []
  let busy = false

  const density = (tab: Tab): number => {
    const device = deps.device()
    return (device.kind === 'mobile' ? device.scale : 1) * (tab.zoom / 100)
  }
  const capture = async (tab: Tab, clip: { y: number; width: number; height: number } | null): Promise<Buffer> => {
    const { data } = await tab.session.send(
      'Page.captureScreenshot',
      {
        format: 'png',
        fromSurface: true,
        captureBeyondViewport: clip !== null,
        ...(clip === null ? {} : { clip: { x: 0, ...clip, scale: 1 } }),
      },
      { timeoutMs: answerMs },
    )
    return Buffer.from(data, 'base64')
  }
  const thumbnail = async (tab: Tab): Promise<string> => {
    const { cssVisualViewport: view } = await tab.session.send('Page.getLayoutMetrics', {}, { timeoutMs: answerMs })
    const clip = { x: view.pageX, y: view.pageY, width: view.clientWidth, height: view.clientHeight }
    const scale = thumbnailWidth / Math.max(1, clip.width * density(tab))
    const { data } = await tab.session.send(
      'Page.captureScreenshot',
      { format: 'jpeg', quality: 60, clip: { ...clip, scale }, optimizeForSpeed: true },
      { timeoutMs: answerMs },
    )
    return `data:image/jpeg;base64,${data}`
  }

  const shoot = async (tab: Tab, kind: Kind, automatic: boolean): Promise<ShotTaken> => {
    const number = facts.length + 1
    const ms = timeline.ms()
    const own: CapturedFile[] = []
    const images: CapturedImage[] = []
    const keep = async (png: Buffer, name: string, index: number): Promise<void> => {
      const size = pngSize(png)
      const path = `capture/${name}.png`
      const file = join(workDir, path.replaceAll('/', '-'))
      await writeFile(file, png, { flag: 'wx' })
      const role = kind === 'viewport' ? 'viewport_screenshot' : 'full_page_screenshot'
      own.push({ path, role, media_type: 'image/png', file })
      images.push({ path, kind, ...size, index })
    }
    const place = `screenshots/${String(number).padStart(3, '0')}`
    let png: Buffer
    let [pageHeight, capturedHeight] = [0, 0]
    if (kind === 'viewport') {
      png = await capture(tab, null)
      await keep(png, automatic ? 'viewport' : `${place}-viewport`, 0)
    } else {
      // The page as it is laid out; nothing is scrolled, and what is fixed to the window stands once.
      const { cssContentSize, cssLayoutViewport } = await tab.session.send('Page.getLayoutMetrics', {}, { timeoutMs: answerMs })
      const width = Math.max(1, Math.ceil(Math.max(cssLayoutViewport.clientWidth, Math.min(cssContentSize.width, 4_096))))
      pageHeight = Math.max(Math.ceil(cssContentSize.height), cssLayoutViewport.clientHeight)
      capturedHeight = Math.min(pageHeight, deps.maxHeight)
      const tile = Math.max(1, Math.floor(tileHeight / density(tab)))
      png = Buffer.alloc(0)
      for (let i = 0; i * tile < capturedHeight; i += 1) {
        const one = await capture(tab, { y: i * tile, width, height: Math.min(tile, capturedHeight - i * tile) })
        if (i === 0) png = one
        const index = String(i + 1).padStart(3, '0')
        await keep(one, automatic ? `full-page-${index}` : `${place}-full-page-${index}`, i)
      }
    }
    const small = await thumbnail(tab).catch((error: unknown) => {
      if (error instanceof CdpError || error instanceof CdpTimeout) return 'data:,'
      throw error
    })
    files.push(...own)
    const paths = own.map(({ path }) => path)
    const fact = { number, kind, paths, ms, at: timeline.at(ms), tab: tab.number, url: tab.url, title: tab.title, automatic }
    facts.push(fact)
    const screenshot = { number, kind, ms, url: tab.url.slice(0, 2_000), thumbnail: small, automatic }
    live.push(screenshot)
    deps.actions.add('screenshot', { number, kind, paths, automatic })
    const pieces = await Promise.all(own.map(async ({ path, file }) => ({ path, sha256: await hashFile(file) })))
    timeline.add('screenshot', { number, kind, paths, tab: tab.number, url: tab.url, automatic, pieces })
    await deps.dateImages(own)
    return { screenshot, shots: { files: own, images, png, pageHeight, capturedHeight } }
  }

  return {
    take: async (tab, kind, automatic) => {
      if (busy) return 'too_soon'
      if (facts.length >= interactiveLimits.screenshots - (automatic ? 0 : ofTheEnd)) return 'limit'
      if (tab === null || tab.crashed !== null) return 'no_page'
      // A dialog of the page holds everything that it draws.
      if (tab.dialog !== null) return 'no_answer'
      busy = true
      try {
        return await shoot(tab, kind, automatic)
      } catch (error) {
        if (error instanceof BrowserGone) return 'no_page'
        if (!(error instanceof CdpTimeout || error instanceof CdpError)) throw error
        return 'no_answer'
      } finally {
        busy = false
      }
    },
    live: () => live,
    facts: () => facts,
    files: () => files,
  }
}
