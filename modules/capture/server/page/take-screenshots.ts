import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CdpSession } from '../../../../platform/browser/cdp-connection.ts'
import { CaptureFailure } from '../../domain/outcome/failures.ts'
import type { CapturedFile, CapturedImage } from '../../domain/outcome/outcome.ts'
import type { ActionLog } from './action-log.ts'
import { viewport } from './open-page.ts'

/**
 * Height of one full-page image, in pixels. Under the 16,384 pixels at which graphics textures are cut, and small enough for
 * phones to show; the browser's own PNG is kept as it is (decision 0042).
 */
export const tileHeight = 8_000

/** Width and height of a PNG, from its IHDR (PNG 3rd ed. §11.2.1). */
export function pngSize(bytes: Uint8Array): { readonly width: number; readonly height: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < 33 || view.getUint32(0) !== 0x8950_4e47 || view.getUint32(12) !== 0x4948_4452)
    throw new CaptureFailure('internal', { step: 'screenshot' })
  return { width: view.getUint32(16), height: view.getUint32(20) }
}

export type Screenshots = {
  readonly files: readonly CapturedFile[]
  readonly images: readonly CapturedImage[]
  readonly viewportPng: Buffer
  readonly pageHeight: number
  readonly capturedHeight: number
}

/**
 * The viewport, then the whole page from its top in images that follow each other without overlap or gap: each is
 * rendered for its own rectangle of the page, nothing is scrolled, so that what is fixed to the window appears once.
 */
export async function takeScreenshots(
  session: CdpSession,
  deps: {
    readonly folder: string
    readonly maxHeight: number
    readonly actions: ActionLog
    readonly signal: AbortSignal
    onImage(done: number, of: number): void
    /** The window, then the whole page, once their files are there. */
    dateImages?: ((files: readonly CapturedFile[]) => Promise<void>) | undefined
  },
): Promise<Screenshots> {
  const { actions, folder } = deps
  const files: CapturedFile[] = []
  const images: CapturedImage[] = []
  const shoot = async (kind: CapturedImage['kind'], y: number, height: number, beyond: boolean): Promise<Buffer> => {
    deps.signal.throwIfAborted()
    const { data } = await session.send(
      'Page.captureScreenshot',
      {
        format: 'png',
        captureBeyondViewport: beyond,
        fromSurface: true,
        ...(beyond ? { clip: { x: 0, y, width: viewport.width, height, scale: 1 } } : {}),
      },
      { timeoutMs: 60_000 },
    )
    const bytes = Buffer.from(data, 'base64')
    const size = pngSize(bytes)
    if (size.width !== viewport.width || size.height !== height)
      throw new CaptureFailure('internal', { step: 'screenshot', width: size.width, height: size.height })
    const index = kind === 'viewport' ? 0 : images.length - 1
    const path = kind === 'viewport' ? 'capture/viewport.png' : `capture/full-page-${String(index + 1).padStart(3, '0')}.png`
    const file = join(folder, path.replace('/', '-'))
    await writeFile(file, bytes)
    files.push({
      path,
      role: kind === 'viewport' ? 'viewport_screenshot' : 'full_page_screenshot',
      media_type: 'image/png',
      file,
    })
    images.push({ path, kind, ...size, index })
    actions.add('screenshot', { path, top: y, ...size })
    return bytes
  }
  const viewportPng = await shoot('viewport', 0, viewport.height, false)
  await deps.dateImages?.(files.slice(0, 1))
  const { cssContentSize } = await session.send('Page.getLayoutMetrics')
  const pageHeight = Math.max(viewport.height, Math.ceil(cssContentSize.height))
  const capturedHeight = Math.min(pageHeight, deps.maxHeight)
  const count = Math.ceil(capturedHeight / tileHeight)
  for (let i = 0; i < count; i += 1) {
    await shoot('full_page', i * tileHeight, Math.min(tileHeight, capturedHeight - i * tileHeight), true)
    deps.onImage(i + 1, count)
  }
  await deps.dateImages?.(files.slice(1))
  return { files, images, viewportPng, pageHeight, capturedHeight }
}
