import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useState, type ReactNode } from 'react'
import { useText } from '../../../../ui/intl/text.tsx'
import type { IdentityDocument } from '../../contract/review.ts'
import { ownPageQuery } from '../queries.ts'
import styles from '../identity-documents.module.css'

/** One’s own document as the reviewers will see it, page by page. */
export function DocumentPages(props: { document: IdentityDocument; name: string }): ReactNode {
  const text = useText()
  const { document, name } = props
  const [page, setPage] = useState(1)
  const picture = useQuery(ownPageQuery(document.id, page))
  const { data } = picture
  /** An address of the bytes, for as long as the picture stands there. */
  const show = useCallback(
    (image: HTMLImageElement | null) => {
      if (image === null || data === undefined) return undefined
      const url = URL.createObjectURL(data)
      image.src = url
      return () => URL.revokeObjectURL(url)
    },
    [data],
  )
  const alt = text('review.page.page_of', { name, page, pages: document.pages })
  return (
    <div className={styles['preview']}>
      <div className={styles['picture']} aria-busy={picture.isPending}>
        {data === undefined ? null : <img ref={show} alt={alt} draggable={false} />}
        {picture.isError ? (
          <p role="alert">
            {text('review.page.picture.failed')}{' '}
            <button type="button" className={styles['textButton']} onClick={() => void picture.refetch()}>
              {text('ui.retry')}
            </button>
          </p>
        ) : null}
      </div>
      {document.pages > 1 ? (
        <div className={styles['actions']}>
          <Button
            variant="default"
            aria-label={`${text('review.page.previous_page')} – ${name}`}
            disabled={page <= 1}
            onClick={() => setPage(page - 1)}
          >
            ‹
          </Button>
          <span className={styles['count']} role="status">
            {text('review.page.page_count', { page, pages: document.pages })}
          </span>
          <Button
            variant="default"
            aria-label={`${text('review.page.next_page')} – ${name}`}
            disabled={page >= document.pages}
            onClick={() => setPage(page + 1)}
          >
            ›
          </Button>
        </div>
      ) : null}
    </div>
  )
}
