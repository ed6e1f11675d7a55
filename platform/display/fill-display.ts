import { CdpError, type CdpConnection } from '../browser/cdp-connection.ts'
import { stage } from './stage-script.ts'

/**
 * Makes the window of a page fill the picture, without bars of the browser's own. A page that is opened as a tab of a window that does is
 * left alone; a window that a page or a visitor opened has an address bar until this was done. @returns false when there is no such window (any more).
 */
export async function fillDisplay(cdp: CdpConnection, targetId: string): Promise<boolean> {
  try {
    const { windowId, bounds } = await cdp.browser.send('Browser.getWindowForTarget', { targetId })
    const fits = bounds.left === 0 && bounds.top === 0 && bounds.width === stage.width && bounds.height === stage.pageHeight
    if (fits && bounds.windowState === 'fullscreen') return true
    if (bounds.windowState !== 'normal')
      await cdp.browser.send('Browser.setWindowBounds', { windowId, bounds: { windowState: 'normal' } })
    if (!fits)
      await cdp.browser.send('Browser.setWindowBounds', {
        windowId,
        bounds: { left: 0, top: 0, width: stage.width, height: stage.pageHeight },
      })
    await cdp.browser.send('Browser.setWindowBounds', { windowId, bounds: { windowState: 'fullscreen' } })
    return true
  } catch (error) {
    if (error instanceof CdpError) return false
    throw error
  }
}
