import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CapturedFile, CapturedImage } from '../../domain/outcome/outcome.ts'
import type { ActionLog } from '../page/action-log.ts'
import type { PageState } from '../page/open-page.ts'
import { pngSize } from '../page/take-screenshots.ts'

export type ShotDeps = {
  readonly workDir: string
  readonly actions: ActionLog
  /** Has images dated as soon as they are taken (decision 0125). */
  readonly dateImages?: ((images: readonly CapturedFile[]) => Promise<void>) | undefined
}

export type WindowShot = { readonly file: CapturedFile; readonly image: CapturedImage }

/** The window as it is now, without moving anything. */
export async function takeWindowShot(
  page: PageState,
  shot: { readonly path: string; readonly kind: 'before_banner' | 'step'; readonly index: number },
  deps: ShotDeps,
): Promise<WindowShot> {
  const { data } = await page.session.send('Page.captureScreenshot', { format: 'png', fromSurface: true }, { timeoutMs: 60_000 })
  const bytes = Buffer.from(data, 'base64')
  const size = pngSize(bytes)
  const file = join(deps.workDir, shot.path.replace('/', '-'))
  await writeFile(file, bytes)
  deps.actions.add('screenshot', { path: shot.path, kind: shot.kind, ...size })
  const taken: CapturedFile = {
    path: shot.path,
    role: shot.kind === 'step' ? 'step_screenshot' : 'before_banner_screenshot',
    media_type: 'image/png',
    file,
  }
  await deps.dateImages?.([taken])
  return { file: taken, image: { path: shot.path, kind: shot.kind, ...size, index: shot.index } }
}
