import { lazy, Suspense, useEffect, useRef, type ReactNode } from 'react'
import { useText } from '../../../../ui/intl/text.tsx'
import { atRest } from '../../../../ui/shell/at-rest.ts'
import { loadChunk } from '../../../../ui/shell/chunk-failure.ts'
import type { FormInput } from '../../domain/proof/verify-form.ts'
import type { OneForm as Form } from './OneForm.tsx'
import { formKinds, type FormKind } from './form-kinds.ts'
import styles from './proofs.module.css'

let coming: Promise<{ default: typeof Form }> | undefined
function loadForm() {
  coming ??= loadChunk(() => import('./OneForm.tsx')).then((form) => ({ default: form.OneForm }))
  return coming
}
const OneForm = lazy(loadForm)

/** For those who paste: one form for each kind. They are fetched while the page is read, once nothing else is to be done. */
export function ProofForms(props: {
  kind: FormKind | null
  onKind: (kind: FormKind | null) => void
  onVerify: (input: FormInput) => void
}): ReactNode {
  const text = useText()
  const chosen = useRef<HTMLDetailsElement>(null)
  const { kind, onKind } = props
  useEffect(() => {
    // Linked to: the form is what the visitor came for.
    chosen.current?.scrollIntoView({ block: 'nearest' })
    void atRest()
      .then(loadForm)
      .catch(() => undefined)
  }, [])
  return (
    <section className={styles['forms']} aria-labelledby="forms">
      <h2 id="forms">{text('verification.page.forms')}</h2>
      <p className={styles['soft']}>{text('verification.page.forms_lead')}</p>
      {formKinds.map((each) => (
        <details
          key={each}
          open={kind === each}
          ref={kind === each ? chosen : null}
          data-form={each}
          onToggle={({ currentTarget }) => {
            if (currentTarget.open !== (kind === each)) onKind(currentTarget.open ? each : null)
          }}
        >
          <summary>{text(`verification.page.form.${each}`)}</summary>
          {kind === each ? (
            <Suspense fallback={<p role="status">{text('ui.loading')}</p>}>
              <OneForm kind={each} onVerify={props.onVerify} />
            </Suspense>
          ) : null}
        </details>
      ))}
    </section>
  )
}
