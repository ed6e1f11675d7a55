import type { PageState } from '../page/open-page.ts'
import { callInFrame, elementWords, isFrameGone, listFrames, takeElement, type FoundElement } from './page-frames.ts'

/** The recipe's selector is no selector. */
export class InvalidSelector extends Error {
  override readonly name = 'InvalidSelector'
}

export type Described = FoundElement & {
  /** Path to the element, for the log. */
  readonly selector: string
  /** What a visitor reads or hears of it; hostile. */
  readonly text: string
  /** A field whose content is not for a report: a password, a payment card. */
  readonly secret: boolean
}

const search = `function (selector, wanted, shownOnly, skip) {
  ${elementWords}
  const kept = globalThis.__probantFound = []
  const tried = globalThis.__probantTried = globalThis.__probantTried || new WeakSet()
  const same = wanted === null ? null : clean(wanted).toLowerCase()
  const fits = (e) => !(skip && tried.has(e)) && (!shownOnly || isShown(e)) && (same === null || wordsOf(e).toLowerCase() === same)
  const roots = [document]
  const texts = []
  for (let i = 0, seen = 0; i < roots.length && kept.length === 0 && seen < 100000; i += 1) {
    if (selector !== null) {
      let found
      try { found = all(roots[i], selector) } catch { return 'invalid_selector' }
      for (const e of found) if (fits(e)) { kept.push(e); break }
    } else for (const e of all(roots[i], 'a,button,summary,label,input[type=button],input[type=submit],[role=button],[role=link],[role=tab],[onclick]')) if (fits(e)) { kept.push(e); break }
    for (const e of all(roots[i], '*')) {
      seen += 1
      if (shadowOf(e)) roots.push(shadowOf(e))
      // Whatever carries exactly these words, when no link and no button does: the innermost of those that do.
      if (selector === null && texts.length === 0 && e.childElementCount === 0 && fits(e)) texts.push(e)
    }
  }
  const e = kept[0] || texts[0]
  if (!e) return null
  kept[0] = e
  const input = e instanceof HTMLInputElement ? e : null
  const secret = input !== null && (input.type === 'password' || /^cc-|password|one-time-code/.test(input.autocomplete))
  return { selector: pathOf(e), text: input || e instanceof HTMLTextAreaElement ? clean(attribute(e, 'aria-label') || (e.labels && e.labels[0] ? e.labels[0].innerText : '') || e.name).slice(0, 300) : wordsOf(e), secret }
}`

/**
 * The first element that a visitor sees, in the page, then in its frames, then in their shadow trees. @throws InvalidSelector
 * @param find `text` in any case, white space collapsed; `shownOnly` false finds what is in the document but not seen
 */
export async function findElement(
  page: PageState,
  find: {
    readonly selector: string | null
    readonly text: string | null
    readonly shownOnly?: boolean
    /** Leave out those that were marked as tried. */
    readonly untriedOnly?: boolean
  },
): Promise<Described | null> {
  for (const frame of await listFrames(page)) {
    try {
      const answer = await callInFrame<{ selector: string; text: string; secret: boolean } | 'invalid_selector' | null>(
        frame,
        search,
        [find.selector, find.text, find.shownOnly ?? true, find.untriedOnly ?? false],
      )
      if (answer === 'invalid_selector') throw new InvalidSelector(find.selector ?? '')
      if (answer === null) continue
      const element = await takeElement(frame, '__probantFound', 0)
      if (element !== null) return { ...element, ...answer }
    } catch (error) {
      if (frame.main || !isFrameGone(error)) throw error
    }
  }
  return null
}
