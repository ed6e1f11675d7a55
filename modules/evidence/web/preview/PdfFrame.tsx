import type { ReactNode } from 'react'
import { useText } from '../../../../ui/intl/text.tsx'
import { PdfFrame as Frame, type PdfWords } from '../../../../ui/media/PdfFrame.tsx'

/** A PDF of an evidence, with the words for it. */
export function PdfFrame(props: { url: string; title: string; download?: { name: string; bytes: number } }): ReactNode {
  const text = useText()
  const words: PdfWords = {
    open: text('evidence.pdf.open'),
    download: (size) => text('evidence.pdf.download', { size }),
    hint: text('evidence.pdf.hint'),
  }
  return <Frame {...props} words={words} />
}
