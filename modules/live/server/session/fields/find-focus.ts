/** Where the keys go: the element with the focus, through frames of any site and shadow trees of any mode. */
import { BrowserGone, CdpError, isGone, type CdpSession } from '../../../../../platform/browser/cdp-connection.ts'

export type Focused = {
  readonly session: CdpSession
  readonly frameId: string
  /** Of the element itself, in a world apart from the page's scripts. */
  readonly objectId: string
  /** Of the element of the document that holds it: itself, or the host of the outermost shadow tree. */
  readonly hostId: string
  /** Names the element within its browser, as long as it lives. */
  readonly key: string
  readonly editable: boolean
  readonly inputMode: string
  readonly password: boolean
}

/** A page, and its frames of other sites by frame id. */
type FramedPage = {
  readonly session: CdpSession
  readonly mainFrame: string
  readonly frames: ReadonlyMap<string, { readonly session: CdpSession }>
}

export const world = 'probant'
const answerMs = 1_500
const deepest = 20
/** A page that changes while it is asked is asked anew, so often at most. */
const mostChanges = 3

/**
 * Names of elements hide what a document or a form has under them; the prototypes are not reached by that. The document gets a name of
 * its own: numbers of nodes begin anew in each process, and a tab goes from one to another.
 */
const active = `(() => {
  const name = globalThis.probantDocument ??= Math.random().toString(36).slice(2)
  const get = (proto, name, of) => Object.getOwnPropertyDescriptor(proto, name).get.call(of)
  let host = get(Document.prototype, 'activeElement', document), e = host
  for (;;) {
    const root = e === null ? null : get(Element.prototype, 'shadowRoot', e)
    const inner = root === null ? null : get(ShadowRoot.prototype, 'activeElement', root)
    if (inner === null) return e === null ? null : [host, e, name]
    e = inner
  }
})()`

const describe = `function () {
  const get = (proto, name) => Object.getOwnPropertyDescriptor(proto, name).get.call(this)
  const input = this instanceof HTMLInputElement, area = this instanceof HTMLTextAreaElement
  const type = input ? get(HTMLInputElement.prototype, 'type') : ''
  const fixed = (input && get(HTMLInputElement.prototype, 'readOnly')) || (area && get(HTMLTextAreaElement.prototype, 'readOnly'))
  const typed = input && !/^(button|checkbox|color|file|hidden|image|radio|range|reset|submit)$/.test(type)
  const open = this instanceof HTMLElement && get(HTMLElement.prototype, 'isContentEditable')
  const owner = get(Node.prototype, 'ownerDocument')
  return {
    editable: !fixed && (typed || area || open || (owner !== null && owner.designMode === 'on')),
    inputMode: String((this instanceof HTMLElement && get(HTMLElement.prototype, 'inputMode')) || (typed ? type : '')).slice(0, 32),
    password: type === 'password',
    frame: this instanceof HTMLIFrameElement || this instanceof HTMLFrameElement,
  }
}`

type Described = { editable: boolean; inputMode: string; password: boolean; frame: boolean }

/** Null when nothing has the focus; `unseen` when the page did not answer in time, or went elsewhere meanwhile. */
export async function findFocus(page: FramedPage): Promise<Focused | null | 'unseen'> {
  for (let changes = 0; ; changes += 1) {
    try {
      return await follow(page.session, page.mainFrame, page, 0)
    } catch (error) {
      if (!(error instanceof Error)) throw error
      // An error that is an answer: a document or a frame is another by now.
      const changed = error instanceof CdpError || error instanceof BrowserGone
      if (!changed || isGone(page.session) || changes === mostChanges) return 'unseen'
    }
  }
}

async function follow(session: CdpSession, frameId: string, page: FramedPage, depth: number): Promise<Focused | null> {
  if (depth > deepest) return null
  const bound = { timeoutMs: answerMs }
  const { executionContextId } = await session.send('Page.createIsolatedWorld', { frameId, worldName: world }, bound)
  const { result } = await session.send('Runtime.evaluate', { expression: active, contextId: executionContextId }, bound)
  if (result.objectId === undefined) return null
  const { result: members } = await session.send(
    'Runtime.getProperties',
    { objectId: result.objectId, ownProperties: true },
    bound,
  )
  const of = (name: string) => members.find((one) => one.name === name)?.value?.objectId
  const hostId = of('0')
  const documentName = String(members.find((one) => one.name === '2')?.value?.value ?? '')
  let objectId = of('1')
  if (hostId === undefined || objectId === undefined) return null
  for (let i = 0; i < deepest; i += 1) {
    const { node } = await session.send('DOM.describeNode', { objectId, depth: 1, pierce: true }, bound)
    const described = await call<Described>(session, objectId, describe)
    const at = objectId
    const found = (id: number): Focused => ({
      session,
      frameId,
      objectId: at,
      hostId,
      key: `${session.id ?? ''} ${documentName} ${id}`,
      ...described,
    })
    if (described.frame) {
      if (node.frameId === undefined) return null
      const own = page.frames.get(node.frameId)
      return await follow(own?.session ?? session, node.frameId, page, depth + 1)
    }
    // Closed trees are hidden from scripts, ours included; the browser itself knows them.
    const closed = node.shadowRoots?.find(({ shadowRootType }) => shadowRootType === 'closed')
    if (closed === undefined) return found(node.backendNodeId)
    const root = await session.send('DOM.resolveNode', { backendNodeId: closed.backendNodeId, executionContextId }, bound)
    const inner: { result: { objectId?: string } } = await session.send(
      'Runtime.callFunctionOn',
      { objectId: root.object.objectId as string, functionDeclaration: 'function () { return this.activeElement }' },
      bound,
    )
    if (inner.result.objectId === undefined) return found(node.backendNodeId)
    objectId = inner.result.objectId
  }
  return null
}

/** Calls a function of ours with an element as `this`; its result is JSON. @throws CdpError, CdpTimeout, BrowserGone */
export async function call<T>(session: CdpSession, objectId: string, functionDeclaration: string): Promise<T> {
  const { result, exceptionDetails } = await session.send(
    'Runtime.callFunctionOn',
    { objectId, functionDeclaration, returnByValue: true },
    { timeoutMs: answerMs },
  )
  if (exceptionDetails) throw new CdpError(exceptionDetails.exception?.description ?? exceptionDetails.text)
  return result.value as T
}
