/** What a visitor did with a page before its script had come, kept while the application takes its place. */
type Field = HTMLInputElement | HTMLTextAreaElement

const isField = (element: Element | null): element is Field =>
  element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement

/** As if typed: React hears of it. */
function type(field: Field, value: string): void {
  const prototype = field instanceof HTMLInputElement ? HTMLInputElement.prototype : HTMLTextAreaElement.prototype
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, value)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

/**
 * Lets the application take the place of the page that was sent, in one step: what was typed, where the cursor is and what was selected stay.
 * @param draw draws the application into `root` before it returns
 */
export function comeAlive(root: HTMLElement, draw: () => void): void {
  const typed = [...root.querySelectorAll<Field>('input[id], textarea[id]')]
    .filter((field) => field.value !== field.defaultValue)
    .map(({ id, value }) => ({ id, value }))
  const focused = root.contains(document.activeElement) ? document.activeElement : null
  const at = isField(focused) ? ([focused.selectionStart, focused.selectionEnd, focused.selectionDirection] as const) : null
  const { scrollX, scrollY } = window
  draw()
  for (const { id, value } of typed) {
    const field = document.getElementById(id)
    if (isField(field)) type(field, value)
  }
  const same = focused === null || focused.id === '' ? null : document.getElementById(focused.id)
  same?.focus({ preventScroll: true })
  if (at !== null && isField(same) && at[0] !== null) same.setSelectionRange(at[0], at[1], at[2] ?? undefined)
  window.scrollTo({ left: scrollX, top: scrollY, behavior: 'instant' })
}
