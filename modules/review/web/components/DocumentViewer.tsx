import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { useText } from '../../../../ui/intl/text.tsx'
import type { IdentityDocument } from '../../contract/review.ts'
import { userPageQuery } from '../queries.ts'
import { useDrawnPage } from '../use-drawn-page.ts'
import { usePictureView } from '../use-picture-view.ts'
import { useShortcuts } from '../use-shortcuts.ts'
import bar from '../../../../ui/media/tool-bar.module.css'
import styles from '../document-viewer.module.css'

const step = 1.3
const far = 80

/** One page at a time, whole in its frame; turned, zoomed and moved by buttons, keys, wheel and fingers. */
export function DocumentViewer(props: {
  userId: string
  document: IdentityDocument
  watermark: string
  /** Whether the keys of the page are for this one; of two, the other listens while it has the focus. */
  keys: boolean
}): ReactNode {
  const text = useText()
  const errorText = useErrorText()
  const { document } = props
  const [page, setPage] = useState(1)
  const name = text(`review.page.kind.${document.kind}`)
  const picture = useQuery({ ...userPageQuery(props.userId, document.id, page), enabled: document.pages > 0 })
  const frame = useRef<HTMLDivElement>(null)
  const { canvas, ...drawn } = useDrawnPage(picture.data, props.watermark)
  const view = usePictureView(frame, drawn.size)
  const turnPage = (by: number) => setPage(Math.min(document.pages, Math.max(1, page + by)))
  const { reset } = view
  useEffect(reset, [page, reset])
  const actions = {
    '+': () => view.zoom(step),
    '=': () => view.zoom(step),
    '-': () => view.zoom(1 / step),
    z: view.toggle,
    r: view.turn,
    ',': () => turnPage(-1),
    '.': () => turnPage(1),
    ArrowLeft: () => view.pan(far, 0),
    ArrowRight: () => view.pan(-far, 0),
    ArrowUp: () => view.pan(0, far),
    ArrowDown: () => view.pan(0, -far),
  }
  const [focused, setFocused] = useState(false)
  useShortcuts(props.keys || focused ? actions : {})
  if (document.pages === 0) return <p className={styles['erased']}>{text('review.page.documents.erased')}</p>
  return (
    <div className={styles['viewer']} onFocus={() => setFocused(true)} onBlur={() => setFocused(false)}>
      <div className={bar['tools']} role="toolbar" aria-label={text('review.page.viewer.tools', { name })}>
        <Tool label={text('ui.viewer.zoom_out')} keys="-" onPress={actions['-']}>
          −
        </Tool>
        <Tool label={text('ui.viewer.zoom_in')} keys="+" onPress={actions['+']}>
          +
        </Tool>
        <Tool label={text('review.page.viewer.fit')} keys="z" onPress={view.toggle}>
          {text('review.page.viewer.fit')}
        </Tool>
        <Tool label={text('review.page.viewer.rotate')} keys="r" onPress={view.turn}>
          ↻
        </Tool>
        {document.pages > 1 ? (
          <span className={styles['pages']}>
            <Tool label={text('review.page.previous_page')} keys="," disabled={page <= 1} onPress={() => turnPage(-1)}>
              ‹
            </Tool>
            <span role="status">{text('review.page.page_count', { page, pages: document.pages })}</span>
            <Tool label={text('review.page.next_page')} keys="." disabled={page >= document.pages} onPress={() => turnPage(1)}>
              ›
            </Tool>
          </span>
        ) : null}
        <output className={bar['percent']}>{text('ui.viewer.zoom', { percent: view.percent })}</output>
      </div>
      <div
        ref={frame}
        className={styles['frame']}
        data-zoomed={view.zoomed || undefined}
        aria-busy={picture.isPending}
        onContextMenu={(event) => event.preventDefault()}
      >
        <canvas
          ref={canvas}
          role="img"
          aria-label={text('review.page.page_of', { name, page, pages: document.pages })}
          style={{ transform: view.transform, visibility: drawn.size === null ? 'hidden' : 'visible' }}
        />
        {picture.isError || drawn.failed ? (
          <p className={styles['failed']} role="alert">
            {text('review.page.picture.failed')} {picture.isError ? errorText(picture.error) : null}{' '}
            <button type="button" onClick={() => void picture.refetch()}>
              {text('ui.retry')}
            </button>
          </p>
        ) : null}
      </div>
    </div>
  )
}

function Tool(props: { label: string; keys: string; disabled?: boolean; onPress: () => void; children: ReactNode }): ReactNode {
  return (
    <button
      type="button"
      aria-label={props.label}
      title={props.label}
      aria-keyshortcuts={props.keys}
      disabled={props.disabled}
      onClick={props.onPress}
    >
      {props.children}
    </button>
  )
}
