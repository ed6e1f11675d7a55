import { useRef, type ReactNode } from 'react'
import { useText } from '../../../../ui/intl/text.tsx'
import { ImageViewer } from '../../../../ui/media/ImageViewer.tsx'
import type { EvidencePreview } from '../../contract/evidence.ts'
import { visible } from '../../../../ui/intl/visible.ts'
import styles from './preview.module.css'

const kinds = ['full_page', 'viewport', 'before_banner', 'step'] as const

export function PreviewImages(props: { preview: EvidencePreview; refresh: () => void }): ReactNode {
  const text = useText()
  const renewed = useRef(false)
  const { preview } = props
  /** Links to images expire; a broken one is asked for again once. */
  const onBroken = () => {
    if (renewed.current) return
    renewed.current = true
    props.refresh()
  }
  if (preview.images.length === 0) return <p>{text('evidence.images.none')}</p>
  const url = visible(preview.final_url)
  // Once the robot touched the page, the window is no longer as it opened.
  const touched = preview.scenario !== null || preview.cookie_banner !== null
  const groups = kinds.flatMap((kind) => {
    const all = preview.images.filter((image) => image.kind === kind).toSorted((a, b) => a.index - b.index)
    // The parts of one page follow each other; the windows of several steps do not.
    const parts = kind === 'step' ? all.map((image) => [image]) : all.length === 0 ? [] : [all]
    return parts.map((images) => ({ kind, images, count: all.length }))
  })
  return groups.map(({ kind, images, count }) => {
    const index = (images[0]?.index ?? 0) + 1
    const id = `images-${kind}-${index}`
    const name = text(kind === 'viewport' && touched ? 'evidence.images.viewport_after' : `evidence.images.${kind}`, {
      index,
      count,
    })
    const width = Math.max(...images.map((image) => image.width))
    const height = images.reduce((sum, image) => sum + image.height, 0)
    const share = preview.page_height === 0 ? 100 : Math.floor((preview.captured_height / preview.page_height) * 100)
    return (
      <section key={id} className={styles['panel']} style={{ paddingTop: 0 }} aria-labelledby={id}>
        <h2 id={id}>{name}</h2>
        <ImageViewer
          name={name}
          onBroken={onBroken}
          images={images.map((image) => ({
            url: image.url,
            width: image.width,
            height: image.height,
            alt: text(`evidence.images.alt.${kind}`, { url, index: image.index + 1, count }),
          }))}
        />
        <p className={styles['caption']}>
          <span>{text('evidence.images.size', { width, height })}</span>
          {kind === 'full_page' ? (
            <span>
              {text('evidence.images.coverage', {
                captured: preview.captured_height,
                total: preview.page_height,
                percent: Math.min(100, share),
              })}
            </span>
          ) : null}
        </p>
      </section>
    )
  })
}
