import { useQuery } from '@tanstack/react-query'
import { useMemo, useRef, type ReactNode } from 'react'
import { readDocument } from '../../../../kernel/document/read-document.ts'
import { locales } from '../../../../kernel/locale.ts'
import { sealRosette } from '../../../../kernel/seal-rosette.ts'
import { apiAddress } from '../../../../ui/api/api-address.ts'
import { DocumentView } from '../../../../ui/document/DocumentView.tsx'
import { useText } from '../../../../ui/intl/text.tsx'
import type { Evidence, EvidencePreview } from '../../contract/evidence.ts'
import styles from './preview.module.css'

function drawingsOf({ seal }: Evidence): ReadonlyMap<string, string> {
  if (seal === null || !/^[0-9a-f]{64}$/.test(seal.root)) return new Map()
  const address = `data:image/svg+xml,${encodeURIComponent(sealRosette(seal.root, { size: 264, title: '' }))}`
  // As the report calls the drawing of its root.
  return new Map(locales.map((locale) => [`rosette.${locale}.svg`, address]))
}

/**
 * The report of a draft as a page: what its PDF is set from (decision 0365), with the original images in the places of their copies on paper.
 * @param props.instead where that cannot be read: it came from another version of the program, or did not come
 */
export function ReportOnScreen(props: {
  evidence: Evidence
  preview: EvidencePreview
  link: string
  links: ReactNode
  instead: ReactNode
  refresh: () => void
}): ReactNode {
  const text = useText()
  const { evidence, link, preview, refresh } = props
  const query = useQuery({
    queryKey: ['report-document', link] as const,
    queryFn: async ({ signal }) => {
      const answer = await fetch(apiAddress(link), { credentials: 'omit', signal })
      return answer.ok ? readDocument(await answer.text()) : null
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
  const renewed = useRef(false)
  const notShown = text('evidence.report_preview.not_shown')
  const pictures = useMemo(
    () => ({
      originals: new Map(
        preview.pieces.filter((piece) => piece.media_type.startsWith('image/')).map((piece) => [piece.path, piece.url]),
      ),
      drawings: drawingsOf(evidence),
      notShown,
      /** Links to images expire; a broken one is asked for again once. */
      onBroken: () => {
        if (renewed.current) return
        renewed.current = true
        refresh()
      },
    }),
    [evidence, notShown, preview, refresh],
  )
  if (query.isPending) return <p role="status">{text('ui.loading')}</p>
  if (query.data == null) return props.instead
  return (
    <>
      <p className={styles['soft']}>
        {text('evidence.report_preview.paper')} {props.links}
      </p>
      <DocumentView document={query.data} pictures={pictures} />
    </>
  )
}
