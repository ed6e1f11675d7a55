import { CdpError } from '../../../../platform/browser/cdp-connection.ts'
import {
  chooseButton,
  consentWordsSource,
  isBanner,
  knownBanners,
  type BannerCandidate,
  type ChosenButton,
} from '../../domain/scenario/cookie-banner.ts'
import type { PageState } from '../page/open-page.ts'
import {
  callInFrame,
  callOnElement,
  elementWords,
  isFrameGone,
  listFrames,
  takeElement,
  type FoundElement,
  type PageFrame,
} from './page-frames.ts'

/** Elements looked at in one frame, so that a huge page is not gone through for ever. */
const maxElements = 30_000

/**
 * Looks through the document and every shadow tree in it for boxes that lie over the page and speak of consent, and for the boxes of
 * known platforms; keeps elements in the world under `__probantBanner`. `__probantTrees`: closed shadow roots, which scripts cannot reach.
 */
const collect = `function (known, wordsSource, framed, maxElements) {
  ${elementWords}
  const kept = globalThis.__probantBanner = []
  const keep = (e) => kept.push(e) - 1
  const consent = new RegExp(wordsSource, 'i')
  const isBox = (e) => /^(fixed|sticky)$/.test(getComputedStyle(e).position) || nameOf(e) === 'dialog' || /^(alert)?dialog$/.test(attribute(e, 'role') || '')
  function liesOver(e) {
    for (let at = e, n = 0; at && n < 40; n += 1) {
      if (isBox(at)) return true
      const root = Node.prototype.getRootNode.call(at)
      at = parentOf(at) || (root instanceof ShadowRoot ? root.host : null)
    }
    return false
  }
  const roots = [{ root: document, over: false }, ...(globalThis.__probantTrees || []).map((root) => ({ root, over: liesOver(root.host) }))]
  let seen = 0
  const clickable = 'button,a,summary,[role=button],input[type=button],input[type=submit],[onclick],[tabindex]'
  const inWindow = (e) => { const r = rectOf(e); return r.bottom > 0 && r.right > 0 && r.top < innerHeight && r.left < innerWidth }
  const candidates = []
  const taken = new Set()
  const add = (e, platform, scope) => {
    if (taken.has(e) || candidates.length >= 40) return
    taken.add(e)
    const trees = [e]
    for (let i = 0; i < trees.length && i < 200; i += 1) for (const c of all(trees[i], '*')) if (shadowOf(c)) trees.push(shadowOf(c))
    const text = clean(innerText(e) || trees.map((t) => t.textContent).join(' '))
    const buttons = []
    const of = (choice) => platform && scope ? all(scope, platform[choice]) : []
    const known = new Map(['accept', 'close', 'continue', 'refuse'].flatMap((choice) => of(choice).map((b) => [b, choice])))
    for (const b of new Set([...known.keys(), ...trees.flatMap((t) => all(t, clickable))])) {
      if (buttons.length >= 60) break
      if (!isShown(b) || attribute(b, 'disabled') !== null) continue
      // The words of a box that holds other buttons are theirs.
      if (!known.has(b) && all(b, 'button,a,[role=button]').length > 0) continue
      buttons.push({ element: keep(b), selector: pathOf(b), text: wordsOf(b), known: known.get(b) || null })
    }
    candidates.push({ element: keep(e), selector: pathOf(e), platform: platform ? platform.name : null, textLength: text.length, links: all(e, 'a[href]').length, framed, buttons })
  }
  for (let i = 0; i < roots.length && i < 2000; i += 1) {
    const { root, over } = roots[i]
    for (const platform of known) for (const e of all(root, platform.container)) guarded(null, () => { if (isShown(e) || all(e, '*').some(isShown)) add(e, platform, root) })
    for (const e of all(root, '*')) {
      seen += 1
      if (seen > maxElements) break
      guarded(null, () => {
        if (shadowOf(e)) roots.push({ root: shadowOf(e), over: liesOver(e) })
        if (!(isBox(e) || (over && e.parentNode === root)) || !isShown(e) || !inWindow(e)) return
        // The box's own words must speak of it: a name in the markup alone may belong to a menu.
        if (consent.test(clean(innerText(e)).slice(0, 6000))) add(e, null, null)
      })
    }
  }
  // A frame whose whole text is short and speaks of consent is the banner itself.
  guarded(null, () => {
    const body = framed && candidates.length === 0 ? all(document, 'body')[0] : undefined
    if (body === undefined || !isShown(body)) return
    const text = clean(innerText(body))
    if (text.length > 0 && text.length <= 6000 && consent.test(text)) add(body, null, null)
  })
  return candidates
}`

/** Hosts whose shadow tree, if they have one, is closed to scripts. */
const closedHosts = `() => {
  ${elementWords}
  const hosts = globalThis.__probantHosts = []
  for (const e of all(document, '*')) {
    if (hosts.length >= 40) break
    guarded(null, () => {
      const empty = nameOf(e) === 'div' && e.childElementCount === 0 && nameOf(parentOf(e)) === 'body'
      if (!shadowOf(e) && (nameOf(e).includes('-') || empty)) hosts.push(e)
    })
  }
  return hosts.length
}`

/** Puts closed shadow roots into the world, where the search finds them. */
async function openClosedTrees(frame: PageFrame): Promise<void> {
  await callInFrame(frame, '() => { globalThis.__probantTrees = [] }', [])
  const hosts = await callInFrame<number>(frame, closedHosts, [])
  for (let i = 0; i < hosts; i += 1) {
    const host = await takeElement(frame, '__probantHosts', i)
    if (host === null) continue
    const { node } = await frame.session.send(
      'DOM.describeNode',
      { objectId: host.objectId, depth: 0, pierce: true },
      { timeoutMs: 10_000 },
    )
    for (const root of node.shadowRoots ?? []) {
      if (root.shadowRootType !== 'closed') continue
      const { object } = await frame.session.send(
        'DOM.resolveNode',
        { backendNodeId: root.backendNodeId, executionContextId: frame.contextId },
        { timeoutMs: 10_000 },
      )
      if (object.objectId === undefined) continue
      await callOnElement({ frame, objectId: object.objectId }, 'function () { globalThis.__probantTrees.push(this) }')
    }
  }
}

export type FoundBanner = {
  /** What may be pressed; null when nothing may. */
  readonly chosen: ChosenButton | null
  readonly selector: string
  readonly platform: string | null
  /** The box, and the button in it. */
  readonly box: FoundElement | null
  readonly button: FoundElement | null
}

/**
 * Looks for a cookie banner in the page and in its frames, of whatever site. The best button of all of them is chosen, so that one
 * that accepts is never taken while another refuses. Null: there is no banner.
 */
export async function findBanner(page: PageState, accept: boolean): Promise<FoundBanner | null> {
  const found: { readonly frame: PageFrame; readonly candidate: BannerCandidate }[] = []
  for (const frame of await listFrames(page)) {
    try {
      await openClosedTrees(frame)
      const candidates = await callInFrame<readonly BannerCandidate[]>(frame, collect, [
        knownBanners,
        consentWordsSource,
        !frame.main,
        maxElements,
      ])
      found.push(...candidates.filter(isBanner).map((candidate) => ({ frame, candidate })))
    } catch (error) {
      // A frame that went, or that answers nothing, holds no button that could be pressed.
      if (frame.main || !isFrameGone(error)) throw error
    }
  }
  const first = found[0]
  if (first === undefined) return null
  const chosen = chooseButton(
    found.map(({ candidate }) => candidate),
    accept,
  )
  const { frame, candidate } = found.find((each) => each.candidate === chosen?.candidate) ?? first
  return {
    chosen,
    selector: chosen?.button.selector ?? candidate.selector,
    platform: candidate.platform,
    box: await takeElement(frame, '__probantBanner', candidate.element),
    button: chosen === null ? null : await takeElement(frame, '__probantBanner', chosen.button.element),
  }
}

/** Whether the box is still seen. One whose frame has gone is not. */
export async function isStillShown(box: FoundElement): Promise<boolean> {
  try {
    return await callOnElement<boolean>(
      box,
      `function () {
        ${elementWords}
        if (!this.isConnected) return false
        const inWindow = (e) => { const r = rectOf(e); return r.bottom > 1 && r.right > 1 && r.top < innerHeight - 1 && r.left < innerWidth - 1 }
        return (isShown(this) && inWindow(this)) || all(this, '*').slice(0, 2000).some((e) => isShown(e) && inWindow(e))
      }`,
    )
  } catch (error) {
    if (error instanceof CdpError || (!box.frame.main && isFrameGone(error))) return false
    throw error
  }
}
