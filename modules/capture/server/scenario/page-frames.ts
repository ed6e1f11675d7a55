import { BrowserGone, CdpError, CdpTimeout, type CdpSession } from '../../../../platform/browser/cdp-connection.ts'
import type { PageState } from '../page/open-page.ts'

/** Frames looked at, the page's own first. A page with more is looked at as far as this. */
const maxFrames = 50
const answerMs = 10_000

/** One document of the page: its own or that of a frame, of whatever site. */
export type PageFrame = {
  readonly id: string
  readonly main: boolean
  readonly session: CdpSession
  /** Our world in it, apart from the page's scripts. */
  readonly contextId: number
}

/** A frame that went, or that answers nothing, is no fault of the page. Whoever lost the page itself learns it from the page. */
export function isFrameGone(error: unknown): boolean {
  return error instanceof CdpError || error instanceof CdpTimeout || error instanceof BrowserGone
}

/** Reads the frames as they stand now. One that goes meanwhile is left out. */
export async function listFrames(page: PageState): Promise<readonly PageFrame[]> {
  const found: PageFrame[] = []
  const sessions = [page.session, ...[...page.frames.values()].map(({ session }) => session)]
  for (const session of sessions) {
    if (found.length >= maxFrames) break
    try {
      const { frameTree } = await session.send('Page.getFrameTree', {}, { timeoutMs: answerMs })
      const waiting = [frameTree]
      for (let tree = waiting.shift(); tree !== undefined && found.length < maxFrames; tree = waiting.shift()) {
        waiting.push(...(tree.childFrames ?? []))
        const { id } = tree.frame
        // Its target answers for it.
        if (session === page.session && page.frames.has(id)) continue
        const { executionContextId } = await session.send(
          'Page.createIsolatedWorld',
          { frameId: id, worldName: 'probant' },
          { timeoutMs: answerMs },
        )
        found.push({ id, main: session === page.session && tree === frameTree, session, contextId: executionContextId })
      }
    } catch (error) {
      if (session === page.session || !isFrameGone(error)) throw error
    }
  }
  return found
}

/** Calls a function of ours in a frame. Arguments and result are JSON. @throws CdpError when the frame has gone or it throws */
export async function callInFrame<T>(
  frame: PageFrame,
  functionText: string,
  args: readonly unknown[],
  timeoutMs = answerMs,
): Promise<T> {
  const { result, exceptionDetails } = await frame.session.send(
    'Runtime.callFunctionOn',
    {
      functionDeclaration: functionText,
      arguments: args.map((value) => ({ value })),
      executionContextId: frame.contextId,
      awaitPromise: true,
      returnByValue: true,
    },
    { timeoutMs },
  )
  if (exceptionDetails) throw new CdpError(exceptionDetails.exception?.description ?? exceptionDetails.text)
  return result.value as T
}

/** An element of a frame, by the number under which a search of ours kept it in its world. */
export type FoundElement = { readonly frame: PageFrame; readonly objectId: string }

/** @param list name of the array that the search filled in the frame's world */
export async function takeElement(frame: PageFrame, list: string, index: number): Promise<FoundElement | null> {
  const { result } = await frame.session.send(
    'Runtime.callFunctionOn',
    {
      functionDeclaration: '(list, index) => (globalThis[list] || [])[index]',
      arguments: [{ value: list }, { value: index }],
      executionContextId: frame.contextId,
    },
    { timeoutMs: answerMs },
  )
  return result.objectId === undefined ? null : { frame, objectId: result.objectId }
}

/** Calls a function with the element as `this`. @throws CdpError when the frame has gone */
export async function callOnElement<T>(element: FoundElement, functionText: string, args: readonly unknown[] = []): Promise<T> {
  const { result, exceptionDetails } = await element.frame.session.send(
    'Runtime.callFunctionOn',
    {
      functionDeclaration: functionText,
      arguments: args.map((value) => ({ value })),
      objectId: element.objectId,
      awaitPromise: true,
      returnByValue: true,
    },
    { timeoutMs: answerMs },
  )
  if (exceptionDetails) throw new CdpError(exceptionDetails.exception?.description ?? exceptionDetails.text)
  return result.value as T
}

/**
 * Shared by our searches, as text. A page may name its elements so that they hide what we call on the document or on a form
 * (HTML §7.3.3, "named access"), so everything is called as it stands in the prototypes; `guarded` leaves out what still throws.
 * Otherwise: an element is shown when it takes room, is neither hidden nor transparent; its words are what a
 * visitor reads or hears; its path leads to it from the document, ` >>> ` standing for the way into a shadow tree.
 */
export const elementWords = `
  const get = (type, name) => { const { get } = Object.getOwnPropertyDescriptor(type.prototype, name); return (e) => get.call(e) }
  const nameOf = get(Element, 'localName')
  const parentOf = get(Node, 'parentElement')
  const shadowOf = get(Element, 'shadowRoot')
  const textOf = get(HTMLElement, 'innerText')
  const attribute = (e, name) => Element.prototype.getAttribute.call(e, name)
  const rectOf = (e) => Element.prototype.getBoundingClientRect.call(e)
  const all = (root, selector) => [...(root instanceof Document ? Document : root instanceof DocumentFragment ? DocumentFragment : Element).prototype.querySelectorAll.call(root, selector)]
  const guarded = (fallback, work) => { try { return work() } catch { return fallback } }
  const isShown = (e) => guarded(false, () => { const r = rectOf(e); return r.width > 0 && r.height > 0 && Element.prototype.checkVisibility.call(e, { opacityProperty: true, visibilityProperty: true }) })
  const clean = (t) => String(t || '').replace(/\\s+/g, ' ').trim()
  const innerText = (e) => e instanceof HTMLElement ? textOf(e) : e.textContent
  const wordsOf = (e) => guarded('', () => clean(innerText(e) || (e instanceof HTMLInputElement ? e.value : '') || attribute(e, 'aria-label') || attribute(e, 'title') || (all(e, 'img[alt]')[0] || { alt: '' }).alt).slice(0, 300))
  const pathOf = (e) => guarded('', () => {
    const parts = []
    for (let at = e; at && parts.length < 12; ) {
      const root = Node.prototype.getRootNode.call(at)
      const host = root instanceof ShadowRoot ? root.host : null
      const id = attribute(at, 'id')
      const alone = id !== null && /^[A-Za-z][\\w-]{0,80}$/.test(id) && all(root, '#' + id).length === 1
      const parent = parentOf(at)
      let name = alone ? '#' + id : nameOf(at)
      if (!alone && parent) {
        const same = all(parent, ':scope > *').filter((c) => nameOf(c) === nameOf(at))
        if (same.length > 1) name += ':nth-of-type(' + (same.indexOf(at) + 1) + ')'
      }
      parts.unshift(name)
      const up = alone ? null : parent
      if (up) { parts.unshift(' > '); at = up } else if (host) { parts.unshift(' >>> '); at = host } else break
      if (at === document.documentElement) break
    }
    return parts.join('').replace(/^ (>|>>>) /, '').slice(0, 500)
  })
`
