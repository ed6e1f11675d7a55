import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { Loaded } from '../../../../ui/controls/ReferencePage.tsx'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { notify } from '../../../../ui/shell/notify.ts'
import type { IdentityVerification } from '../../contract/review.ts'
import type { DocumentKind } from '../../domain/identity-document.ts'
import { DocumentHistory } from '../components/DocumentHistory.tsx'
import { DocumentSlot } from '../components/DocumentSlot.tsx'
import { SendDocuments } from '../components/SendDocuments.tsx'
import { VerificationState } from '../components/VerificationState.tsx'
import { alternativeHeld, countingOf, newestOf } from '../documents.ts'
import { verificationQuery } from '../queries.ts'
import { useFieldName } from '../use-field-name.ts'
import styles from '../identity-documents.module.css'

/** E-20, E-21, P-12, P-13, S-22…S-31. */
export function IdentityPage(): ReactNode {
  const text = useText()
  const verification = useQuery(verificationQuery)
  return (
    <div className={styles['page']}>
      <section className={styles['section']}>
        <h2>{text('review.page.identity')}</h2>
        <p className={styles['soft']}>{text('review.page.identity.lead')}</p>
      </section>
      <Loaded query={verification} loading={text('ui.loading')} failed={text('review.page.identity.failed')}>
        {(data) => <Verification verification={data} />}
      </Loaded>
      <section className={styles['section']}>
        <h2>{text('review.page.files.title')}</h2>
        <ul className={styles['points']}>
          <li>{text('review.page.files.who')}</li>
          <li>{text('review.page.files.kept')}</li>
          <li>{text('review.page.files.erased')}</li>
        </ul>
      </section>
    </div>
  )
}

/** the decision is told where one is, when it comes. */
function useDecisionNotice({ state }: IdentityVerification): void {
  const text = useText()
  const before = useRef(state)
  useEffect(() => {
    const was = before.current
    before.current = state
    if (was !== 'pending') return
    if (state === 'success') notify('success', text('review.page.notice.success'), text('ui.notice.dismiss'))
    if (state === 'failure') notify('error-force', text('review.page.notice.failure'), text('ui.notice.dismiss'))
  }, [state, text])
}

function Verification(props: { verification: IdentityVerification }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { verification } = props
  const { needed, documents, missing_fields: missing } = verification
  useDecisionNotice(verification)
  const [picked, setPicked] = useState<number | null>(null)
  if (verification.user_type === null)
    return (
      <section className={styles['section']}>
        <p className={styles['caution']}>{text('review.page.type_first')}</p>
        <p>
          <Link className={styles['action']} to="/$locale/account/$/" params={{ locale, _splat: 'profile' }}>
            {text('review.page.type_first.link')}
          </Link>
        </p>
      </section>
    )
  const chosen = picked ?? alternativeHeld(needed, documents)
  const kinds = chosen === null ? [] : (needed[chosen] ?? [])
  // What a reviewer asked for besides, and what else would be sent.
  const ready = documents.filter(({ state }) => state === 'ready').map(({ kind }) => kind)
  const slots = new Set(kinds.length === 0 ? [] : [...kinds, ...verification.asked, ...ready])
  const { changeable } = verification
  const settled = changeable.length === 0
  const proofs = needed.map((kinds) => kinds.filter((kind) => !ofCompany.has(kind)))
  return (
    <>
      <VerificationState verification={verification} />
      {missing.length === 0 || settled ? null : (
        <section className={styles['section']} aria-labelledby="identity-fields">
          <h3 id="identity-fields">{text('review.page.fields')}</h3>
          <p className={styles['soft']}>{text('review.page.fields.lead', { count: missing.length })}</p>
          <ul className={styles['fields']}>
            {missing.map(({ field }) => (
              <li key={field}>
                <Link className={styles['action']} to="/$locale/account/$/" params={{ locale, _splat: 'profile' }}>
                  <FieldName field={field} />
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
      {settled ? null : (
        <fieldset className={styles['choices']}>
          <legend>
            {text(verification.user_type === 'legal' ? 'review.page.proof.of_representative' : 'review.page.proof')}
          </legend>
          {proofs.map((proof, i) => (
            <label key={proof.join()}>
              <input type="radio" name="proof" checked={chosen === i} onChange={() => setPicked(i)} />
              {text(`review.page.proof.${nameOfProof(proof)}`)}
            </label>
          ))}
        </fieldset>
      )}
      {kinds.length === 0 ? null : (
        <section className={styles['section']} data-wide="">
          <h3>{text('review.page.documents')}</h3>
          {settled ? null : <p className={styles['soft']}>{text('review.page.documents.lead')}</p>}
          <ul className={styles['slots']}>
            {[...slots].map((kind) => (
              <DocumentSlot
                key={kind}
                kind={kind}
                document={newestOf(documents, kind)}
                counting={countingOf(documents, kind)}
                open={changeable.includes(kind)}
              />
            ))}
          </ul>
        </section>
      )}
      {settled ? null : <SendDocuments verification={verification} chosen={[...slots]} />}
      <DocumentHistory documents={documents} />
    </>
  )
}

const ofCompany: ReadonlySet<DocumentKind> = new Set(['registration_proof', 'articles_of_association'])

const nameOfProof = (kinds: readonly DocumentKind[]) =>
  kinds.includes('passport') ? 'passport' : kinds.includes('driving_licence') ? 'driving_licence' : 'id_card'

function FieldName(props: { field: string }): ReactNode {
  const nameOf = useFieldName()
  return nameOf(props.field)
}
