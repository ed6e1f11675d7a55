/** What a visitor did with a page before its script had come, kept while the application takes its place. */
type Field = HTMLInputElement | HTMLTextAreaElement

const isField = (element: Element | null): element is Field =>
  element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement

/** Hears of forms that are sent from the first byte of the page on; the last one counts (`index.html`). */
type KeepSent = ((event: Event) => void) & { readonly form?: HTMLFormElement }

/** Finds the same element again: an id that was given by hand stays, a field of a form keeps its name, a link where it leads. */
function pathTo(element: Element): string | null {
  if (/^[a-z][\w-]*$/i.test(element.id)) return `#${element.id}`
  const [name, href] = ['name', 'href'].map((attribute) => element.getAttribute(attribute))
  if (isField(element) && name) return `form [name="${CSS.escape(name)}"]`
  return href ? `a[href="${CSS.escape(href)}"]` : null
}

/** As if typed: React hears of it. */
function type(field: Field, value: string): void {
  const prototype = field instanceof HTMLInputElement ? HTMLInputElement.prototype : HTMLTextAreaElement.prototype
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, value)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

const chooser = 'input[type="file"]'

/** As long as somebody may look for a file in a dialog that he opened before. Milliseconds. */
const patienceMs = 60_000

/** As if chosen: React hears of it. Where the application draws its field only later, then. */
function choose(root: HTMLElement, place: number, files: FileList): void {
  const hand = (): boolean => {
    const field = root.querySelectorAll<HTMLInputElement>(chooser)[place]
    if (field === undefined) return false
    field.files = files
    field.dispatchEvent(new Event('change', { bubbles: true }))
    return true
  }
  if (hand()) return
  const watching = new MutationObserver(() => hand() && watching.disconnect())
  watching.observe(root, { childList: true, subtree: true })
  setTimeout(() => watching.disconnect(), patienceMs)
}

/** What was done with a page that was sent: read at the last moment, and done again to the one that took its place. */
function remember(root: HTMLElement): (drawn: HTMLElement) => void {
  const fields = [...root.querySelectorAll<Field>('input, textarea')].map((field) => ({ field, path: pathTo(field) }))
  const typed = fields.flatMap(({ field, path }) =>
    path !== null && field.type !== 'file' && field.value !== field.defaultValue ? [{ path, value: field.value }] : [],
  )
  const ticked = fields.flatMap(({ field, path }) =>
    path !== null && field instanceof HTMLInputElement && field.checked !== field.defaultChecked ? [path] : [],
  )
  // They have no name: each has its place among its like.
  const choosers = [...root.querySelectorAll<HTMLInputElement>(chooser)]
  const focused = root.contains(document.activeElement) ? document.activeElement : null
  const wanted = focused === null ? null : pathTo(focused)
  const at = isField(focused) ? ([focused.selectionStart, focused.selectionEnd, focused.selectionDirection] as const) : null
  const { scrollX, scrollY } = window
  const { keepSent } = window as { readonly keepSent?: KeepSent }
  if (keepSent !== undefined) window.removeEventListener('submit', keepSent, true)
  const sent = [...root.querySelectorAll('form')].findIndex((form) => form === keepSent?.form)
  return (drawn) => {
    for (const { path, value } of typed) {
      const field = drawn.querySelector(path)
      if (isField(field)) type(field, value)
    }
    for (const [place, field] of choosers.entries()) {
      let taken: FileList | null = null
      const take = () => {
        const { files } = field
        if (files === null || files.length === 0 || files === taken) return
        taken = files
        choose(drawn, place, files)
      }
      take()
      // Its dialog may be open still: the choice is made in a field that is no longer there.
      field.addEventListener('change', take)
    }
    for (const path of ticked) drawn.querySelector<HTMLInputElement>(path)?.click()
    const same = wanted === null ? null : drawn.querySelector<HTMLElement>(wanted)
    same?.focus({ preventScroll: true })
    if (at !== null && isField(same) && at[0] !== null) same.setSelectionRange(at[0], at[1], at[2] ?? undefined)
    window.scrollTo({ left: scrollX, top: scrollY, behavior: 'instant' })
    // Once React has taken in what was typed.
    if (sent >= 0) queueMicrotask(() => drawn.querySelectorAll('form')[sent]?.requestSubmit())
  }
}

/**
 * Lets the application take the place of the page that was sent, in one step: what was typed, ticked or chosen, where the cursor is and
 * what was selected stay; a form that was sent is sent. Until then it is drawn beside the document, in as many steps as that takes, and
 * the page that was sent stays in use.
 */
export function comeAlive(root: HTMLElement): {
  /** To draw into. */
  readonly drawn: HTMLElement
  /** When all of it was drawn: the page that was sent goes, and nothing is painted in between. */
  readonly takePlace: () => void
  /** When it answers. */
  readonly restore: () => void
} {
  const drawn = root.cloneNode() as HTMLElement
  let restore: ReturnType<typeof remember> | null = null
  return {
    drawn,
    takePlace() {
      restore = remember(root)
      root.replaceWith(drawn)
    },
    restore: () => restore?.(drawn),
  }
}
