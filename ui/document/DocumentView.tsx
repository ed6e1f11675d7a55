import { useId, useMemo, type CSSProperties, type ReactNode } from 'react'
import type { ShownDocument } from '../../kernel/document/blocks.ts'
import { Blocks } from './Blocks.tsx'
import styles from './document.module.css'
import { outlineOf } from './outline.ts'
import { ShownContext, type Pictures } from './shown.ts'

/** Over pictures, again and again: none of them is to pass for one of the document itself. */
function stampOf(mark: string): string {
  const words = mark.replace(/[&<>]/g, (found) => `&#${String(found.charCodeAt(0))};`)
  const drawing =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 420 260"><text x="210" y="130" text-anchor="middle" transform="rotate(-24 210 130)" ` +
    `font-family="sans-serif" font-size="24" font-weight="600" letter-spacing="1.5" fill="#b3321f" fill-opacity="0.38">${words}</text></svg>`
  return `url("data:image/svg+xml,${encodeURIComponent(drawing)}")`
}

/**
 * A document as a page of the screen: the same blocks as on paper (decision 0365).
 * @param props.topLevel level of its first heading among those of the page it stands in; 2 unless told
 */
export function DocumentView(props: { document: ShownDocument; pictures: Pictures; topLevel?: number }): ReactNode {
  const { document, pictures, topLevel = 2 } = props
  const id = useId()
  const outline = useMemo(() => outlineOf(document, `document${id.replace(/\W/g, '')}`), [document, id])
  const shown = useMemo(() => ({ outline, pictures, topLevel }), [outline, pictures, topLevel])
  const { mark } = document
  return (
    <ShownContext value={shown}>
      <article
        className={styles['document']}
        lang={document.language}
        aria-label={document.title}
        style={mark === null ? undefined : ({ '--stamp': stampOf(mark) } as CSSProperties)}
      >
        {mark === null ? null : <p className={styles['mark']}>{mark}</p>}
        <Blocks of={document.blocks} />
        {/* Stays at the foot of the window as long as any of the document is in it; said once, above. */}
        {mark === null ? null : (
          <p className={styles['foot']} aria-hidden="true">
            {mark}
          </p>
        )}
      </article>
    </ShownContext>
  )
}
