import { CaptureFailure } from '../../domain/outcome/failures.ts'
import { CdpError, type CdpSession } from '../../../../platform/browser/cdp-connection.ts'

/**
 * Elements with a name hide what their document has under it (HTML §8.1.5, `<img name="body">`), in every world. Functions see
 * this in place of `document`: whatever they ask of it is asked of the prototypes, which a page's elements do not reach and a page's
 * scripts do not share. `document.self` is the document itself, where a node is wanted.
 */
const shielded = `(...args) => {
  const self = globalThis.document
  const place = (name) => { for (let proto = Object.getPrototypeOf(self); proto; proto = Object.getPrototypeOf(proto)) { const found = Object.getOwnPropertyDescriptor(proto, name); if (found) return found } }
  const document = new Proxy(Object.create(null), { get: (_, name) => {
    if (name === 'self') return self
    const found = place(name)
    if (!found) return self[name]
    if (found.get) return found.get.call(self)
    return typeof found.value === 'function' ? (...given) => found.value.apply(self, given.map((one) => one === document ? self : one)) : found.value
  } })
  return (FUNCTION)(...args)
}`

/** The page went elsewhere between two of our questions: the answer is asked for again, of the page that is there now. */
const moved =
  /context (was destroyed|with specified id)|no frame (for|with) given id|target navigated|frame was detached|execution context/i
const maxTries = 10

/**
 * Calls a function of ours in a world of its own: it sees the page's document but not the page's scripts, so that a page
 * that redefines what we call does not change what we measure. Arguments and result are JSON.
 * @param nodes the browser's ids of nodes, given to the function after the other arguments.
 * @throws CaptureFailure `too_many_redirects` when the page never stays, CdpError, CdpTimeout.
 */
export async function evaluateApart<T = undefined>(
  session: CdpSession,
  functionText: string,
  args: readonly unknown[],
  timeoutMs: number,
  nodes: readonly number[] = [],
): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await evaluateOnce<T>(session, functionText, args, timeoutMs, nodes)
    } catch (error) {
      if (!(error instanceof CdpError) || !moved.test(error.message)) throw error
      if (tried === maxTries) throw new CaptureFailure('too_many_redirects', { count: tried }, error)
    }
  }
}

async function evaluateOnce<T>(
  session: CdpSession,
  functionText: string,
  args: readonly unknown[],
  timeoutMs: number,
  nodes: readonly number[],
): Promise<T> {
  const { frameTree } = await session.send('Page.getFrameTree', {}, { timeoutMs })
  const { executionContextId } = await session.send(
    'Page.createIsolatedWorld',
    { frameId: frameTree.frame.id, worldName: 'probant' },
    { timeoutMs },
  )
  const objects = await Promise.all(
    nodes.map(async (backendNodeId) => {
      const { object } = await session.send('DOM.resolveNode', { backendNodeId, executionContextId }, { timeoutMs })
      return object.objectId === undefined ? [] : [{ objectId: object.objectId }]
    }),
  )
  const { result, exceptionDetails } = await session.send(
    'Runtime.callFunctionOn',
    {
      // Replaced by a function: `$` in the text has no meaning then.
      functionDeclaration: shielded.replace('FUNCTION', () => functionText),
      arguments: [...args.map((value) => ({ value })), ...objects.flat()],
      executionContextId,
      awaitPromise: true,
      returnByValue: true,
    },
    { timeoutMs },
  )
  if (exceptionDetails) throw new CdpError(exceptionDetails.exception?.description ?? exceptionDetails.text)
  return result.value as T
}
