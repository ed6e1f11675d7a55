import { lazy, Suspense, type ComponentProps, type ReactNode } from 'react'
import { useText } from '../../../../ui/intl/text.tsx'
import { loadChunk } from '../../../../ui/shell/chunk-failure.ts'

const Panel = lazy(async () => ({ default: (await loadChunk(() => import('./pay-invoice.tsx'))).PayInvoice }))

/** {@link Panel}, fetched when something is to be paid; whoever shows it has the words of billing loaded. */
export function PayInvoice(props: ComponentProps<typeof Panel>): ReactNode {
  const text = useText()
  return (
    <Suspense fallback={<p role="status">{text('ui.loading')}</p>}>
      <Panel {...props} />
    </Suspense>
  )
}
