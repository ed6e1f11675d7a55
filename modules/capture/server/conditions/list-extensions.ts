import type { CdpConnection } from '../../../../platform/browser/cdp-connection.ts'
import { z } from 'zod'
import type { ExtensionFacts } from '../../domain/machine-facts.ts'

const page = 'chrome://extensions-internals/'
const schema = z.array(
  z.object({ id: z.string().max(64), name: z.string(), location: z.string().max(64), version: z.string().max(64).catch('') }),
)

/**
 * What the browser itself lists as installed, its own built-in parts included, on a page of its own without network. Asked once the page
 * under capture was recorded. Null when it did not answer within the time.
 */
export async function listExtensions(cdp: CdpConnection, signal: AbortSignal): Promise<readonly ExtensionFacts[] | null> {
  let targetId: string | null = null
  const late = new Promise<never>((_, reject) => {
    const fail = (): void => reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'))
    if (signal.aborted) fail()
    else signal.addEventListener('abort', fail, { once: true })
  })
  late.catch(() => undefined)
  const ask = async (): Promise<readonly ExtensionFacts[]> => {
    ;({ targetId } = await cdp.browser.send('Target.createTarget', { url: 'about:blank', background: true }))
    const { sessionId } = await cdp.browser.send('Target.attachToTarget', { targetId, flatten: true })
    const session = cdp.session(sessionId)
    const loaded = new Promise<void>((resolve) => session.on('Page.loadEventFired', () => resolve()))
    await session.send('Page.enable')
    await session.send('Page.navigate', { url: page })
    await loaded
    const { result } = await session.send('Runtime.evaluate', {
      expression: 'document.body.innerText.slice(0, 1000000)',
      returnByValue: true,
    })
    return schema.parse(JSON.parse(String(result.value))).map((one) => ({ ...one, name: one.name.slice(0, 200) }))
  }
  try {
    return await Promise.race([ask(), late])
  } catch {
    return null
  } finally {
    if (targetId !== null) await cdp.browser.send('Target.closeTarget', { targetId }).catch(() => undefined)
  }
}
