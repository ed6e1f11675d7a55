import { useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'

/** What a deposit is called: its declared name, the one that this browser kept, or the beginning of its fingerprint. */
export function useDocumentName(): (
  document: { readonly document_name: string | null; readonly sha256: string },
  hidden: string | undefined,
) => string {
  const text = useText()
  return ({ document_name: declared, sha256 }, hidden) => {
    const name = declared ?? hidden ?? ''
    return name === '' ? text('document.unnamed', { fingerprint: sha256.slice(0, 12) }) : visible(name)
  }
}
