import { lazy, Suspense, type ComponentProps, type ReactNode } from 'react'
import { useText } from '../../../ui/intl/text.tsx'
import { loadChunk } from '../../../ui/shell/chunk-failure.ts'

const Form = lazy(async () => ({ default: (await loadChunk(() => import('./CompleteProfile.tsx'))).CompleteProfile }))

/** {@link Form}, fetched when something is missing; whoever shows it has the words of the account loaded. */
export function CompleteProfile(props: ComponentProps<typeof Form>): ReactNode {
  const text = useText()
  return (
    <Suspense fallback={<p role="status">{text('ui.loading')}</p>}>
      <Form {...props} />
    </Suspense>
  )
}
