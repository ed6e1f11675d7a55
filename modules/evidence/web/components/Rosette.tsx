import type { ReactNode } from 'react'
import { sealRosette } from '../../../../kernel/seal-rosette.ts'
import { useText } from '../../../../ui/intl/text.tsx'
import styles from './result.module.css'

/** The seal, drawn from the root as in the PDF and in verify.html. */
export function Rosette(props: { root: string }): ReactNode {
  const text = useText()
  // The drawing is made from 64 hexadecimal digits and nothing else; anything else is not a root.
  if (!/^[0-9a-f]{64}$/.test(props.root)) return null
  const svg = sealRosette(props.root, { size: 220, title: text('evidence.result.rosette', { root: props.root.slice(0, 16) }) })
  return (
    <figure className={styles['rosette']}>
      <img
        src={`data:image/svg+xml,${encodeURIComponent(svg)}`}
        width={220}
        height={220}
        alt={text('evidence.result.rosette', { root: props.root.slice(0, 16) })}
      />
      <figcaption>{text('evidence.result.rosette.hint')}</figcaption>
    </figure>
  )
}
