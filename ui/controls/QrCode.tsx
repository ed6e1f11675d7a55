import type { ReactNode } from 'react'
import { renderSVG } from 'uqr'
import styles from './qr-code.module.css'

/** A link as a QR code, ISO/IEC 18004, with the light margin of four modules that readers ask for. */
export function QrCode(props: { link: string; label: string }): ReactNode {
  // The maker's own drawing, of squares alone: nothing of the link is in it as text, and a secret in it stays in the page.
  const source = `data:image/svg+xml,${encodeURIComponent(renderSVG(props.link, { ecc: 'M', border: 4 }))}`
  return <img className={styles['qr']} src={source} alt={props.label} width={264} height={264} />
}
