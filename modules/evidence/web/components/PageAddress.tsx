import type { ReactNode } from 'react'
import styles from './page-address.module.css'

/**
 * The address of a captured page is a stranger's text: shown as text, isolated from the direction of what surrounds it, with the
 * characters that reverse or hide others made visible.
 */
export function PageAddress(props: { url: string }): ReactNode {
  return (
    <bdi className={styles['address']} dir="ltr">
      {visible(props.url)}
    </bdi>
  )
}

/** Bidirectional controls, zero-width and other invisible characters become `⟨U+202E⟩` (Unicode TR 36, TR 39). */
export function visible(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (character) => `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
  )
}
