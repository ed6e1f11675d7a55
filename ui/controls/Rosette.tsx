import type { ReactNode } from 'react'
import { sealRosette } from '../../kernel/seal-rosette.ts'
import styles from './rosette.module.css'

/** A seal, drawn from its root as in the PDF and in verify.html. @param title of the drawing, from the first digits of the root */
export function Rosette(props: { root: string; title: (first: string) => string; hint: string }): ReactNode {
  // The drawing is made from 64 hexadecimal digits and nothing else; anything else is not a root.
  if (!/^[0-9a-f]{64}$/.test(props.root)) return null
  const title = props.title(props.root.slice(0, 16))
  const svg = sealRosette(props.root, { size: 220, title })
  return (
    <figure className={styles['rosette']}>
      <img src={`data:image/svg+xml,${encodeURIComponent(svg)}`} width={220} height={220} alt={title} />
      <figcaption>{props.hint}</figcaption>
    </figure>
  )
}
