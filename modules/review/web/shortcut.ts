/** What of a key event is looked at. */
export type Pressed = {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  /** Where it was pressed, as a selector sees it. */
  readonly on: 'typing' | 'button' | 'elsewhere'
}

/**
 * Name of the shortcut that was pressed, or null where the key belongs to what has the focus: letters to fields, Enter to buttons
 * and links. `Ctrl+Enter` and `Escape` are shortcuts everywhere.
 */
export function shortcutOf({ key, ctrlKey, metaKey, altKey, on }: Pressed): string | null {
  if (key === 'Enter' && (ctrlKey || metaKey) && !altKey) return 'Ctrl+Enter'
  if (ctrlKey || metaKey || altKey) return null
  if (key === 'Escape') return key
  if (on === 'typing' || (on === 'button' && (key === 'Enter' || key === ' '))) return null
  return key.length === 1 ? key.toLowerCase() : key
}
