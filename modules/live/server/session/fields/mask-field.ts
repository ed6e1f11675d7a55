/**
 * Shows a field as bullets in every pixel, whatever the page's own styles say, and without touching the page's document: the
 * inspector's own style sheet has one rule, for elements that are in and out of their range at once. No element ever is; the browser
 * is told to treat this very one so (decision 0208).
 */
import { BrowserGone, CdpError, CdpTimeout, type CdpSession } from '../../../../../platform/browser/cdp-connection.ts'
import { call, type Focused } from './find-focus.ts'

/** Identifiers in `:not()` count for the weight of a rule, so that no rule of a page outweighs it (Selectors 4 §17). */
const rule = `:in-range:out-of-range:not(${'#probant'.repeat(12)}) { -webkit-text-security: disc !important }`

type State = { document: boolean; readonly sheets: Map<string, string> }
const states = new WeakMap<CdpSession, State>()

/**
 * Asked for before the page's first document: later, the browser would load style sheets anew for it, and such requests would stand in
 * the record.
 */
export function prepareMask(session: CdpSession): readonly Promise<unknown>[] {
  const state: State = { document: false, sheets: new Map() }
  states.set(session, state)
  session.on('DOM.documentUpdated', () => {
    state.document = false
    state.sheets.clear()
  })
  session.on('Page.frameNavigated', ({ frame }) => void state.sheets.delete(frame.id))
  return [session.send('DOM.enable'), session.send('CSS.enable')]
}

/** Whether the element is shown as bullets from now on. False: it could not be had, and nothing secret may go there. */
export async function maskField({ session, frameId, objectId, hostId }: Focused): Promise<boolean> {
  const state = states.get(session)
  if (state === undefined) return false
  const bound = { timeoutMs: 3_000 }
  try {
    // The mask of a field stays until its document goes: asking for the document anew would end it.
    if (!state.document) {
      await session.send('DOM.getDocument', { depth: 0 }, bound)
      state.document = true
    }
    if (!state.sheets.has(frameId)) {
      const { styleSheetId } = await session.send('CSS.createStyleSheet', { frameId }, bound)
      const location = { startLine: 0, startColumn: 0, endLine: 0, endColumn: 0 }
      await session.send('CSS.addRule', { styleSheetId, ruleText: rule, location }, bound)
      state.sheets.set(frameId, styleSheetId)
    }
    const { nodeId } = await session.send('DOM.requestNode', { objectId: hostId }, bound)
    await session.send('CSS.forcePseudoState', { nodeId, forcedPseudoClasses: ['in-range', 'out-of-range'] }, bound)
    // In a shadow tree the rule reaches the host alone, and the field inherits it unless the tree's own styles say otherwise.
    return await call<boolean>(
      session,
      objectId,
      `function () { return /^(disc|circle|square)$/.test(getComputedStyle(this).webkitTextSecurity) }`,
    )
  } catch (error) {
    if (error instanceof CdpError || error instanceof CdpTimeout || error instanceof BrowserGone) return false
    throw error
  }
}
