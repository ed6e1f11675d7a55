/** Of a text field; a file, which none of our forms has, is no words. */
export function wordsOf(data: FormData, name: string): string {
  const value = data.get(name)
  return typeof value === 'string' ? value : ''
}

/** The field that a dialog opens on (HTML §4.11.4, dialog focusing steps); React sets no attribute by its own name for it. */
export function focusedFirst(field: HTMLElement | null): void {
  field?.setAttribute('autofocus', '')
}
