import type { ReactNode } from 'react'
import { useText } from '../../../../ui/intl/text.tsx'
import { PdfFrame as Frame, PdfLinks as Links, type Pdf, type PdfWords } from '../../../../ui/media/PdfFrame.tsx'

function usePdfWords(): PdfWords {
  const text = useText()
  return {
    open: text('evidence.pdf.open'),
    download: (size) => text('evidence.pdf.download', { size }),
    hint: text('evidence.pdf.hint'),
  }
}

/** A PDF of an evidence, with the words for it. */
export function PdfFrame(props: Pdf & { title: string }): ReactNode {
  return <Frame {...props} words={usePdfWords()} />
}

export function PdfLinks(props: Pdf): ReactNode {
  return <Links {...props} words={usePdfWords()} />
}
