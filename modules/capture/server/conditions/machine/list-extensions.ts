import type { CdpConnection } from '../../../../../platform/browser/cdp-connection.ts'
import { z } from 'zod'
import type { ExtensionFacts } from '../../../domain/conditions/machine-facts.ts'

const page = 'chrome://extensions-internals/'
const schema = z.array(
  z.object({ id: z.string().max(64), name: z.string(), location: z.string().max(64), version: z.string().max(64).catch('') }),
)

const shownSchema = z.object({ text: z.string(), characterSet: z.string() })

/** The page is sent as UTF-8 and does not say so: the browser shows it in its default, which is undone here, octet by octet. */
function readAsUtf8(text: string): string {
  const characters = new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, octet) => octet))
  return Buffer.from(Array.from(text, (character) => Math.max(0, characters.indexOf(character)))).toString('utf8')
}

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
      expression: '({ text: document.body.innerText.slice(0, 1000000), characterSet: document.characterSet })',
      returnByValue: true,
    })
    const { text, characterSet } = shownSchema.parse(result.value)
    return schema
      .parse(JSON.parse(characterSet === 'windows-1252' ? readAsUtf8(text) : text))
      .map((one) => ({ ...one, name: one.name.slice(0, 200) }))
  }
  try {
    return await Promise.race([ask(), late])
  } catch {
    return null
  } finally {
    if (targetId !== null) await cdp.browser.send('Target.closeTarget', { targetId }).catch(() => undefined)
  }
}
