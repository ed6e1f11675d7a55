import { Link, useParams } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { useSession } from '../../../../ui/api/session.ts'
import { useServerTime } from '../../../../ui/api/use-server-time.ts'
import { Rosette } from '../../../../ui/controls/Rosette.tsx'
import { formatCountdown, formatExact, formatInstant } from '../../../../ui/intl/format.ts'
import { useLocale, useOptionalText, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import type { Document } from '../../contract/document.ts'
import { Check } from '../check/CheckFile.tsx'
import { Copy } from '../copy/Copy.tsx'
import { Certificate, CertificateToCome } from '../deposit/Certificate.tsx'
import { Describe } from '../deposit/Describe.tsx'
import { ProofHealth } from '../deposit/ProofHealth.tsx'
import { NotRead } from '../deposit/NotRead.tsx'
import { Payment } from '../deposit/Payment.tsx'
import { Proofs } from '../deposit/Proofs.tsx'
import { SealFacts } from '../deposit/SealFacts.tsx'
import { Share } from '../deposit/Share.tsx'
import { Versions } from '../deposit/Versions.tsx'
import { useDocumentName } from '../deposit/document-name.ts'
import noticeStyles from '../deposit/panels.module.css'
import { ChangeButtons } from '../list/ChangeButtons.tsx'
import { changesOf, type Change } from '../list/row-changes.ts'
import { useMayManage } from '../../../account/web/index.ts'
import { useDocument } from '../deposit/queries.ts'
import { useHiddenNames } from '../outbox/use-hidden-names.ts'
import styles from '../deposit/deposit.module.css'

/** C-14: one deposit, through its whole life under one address. */
export function DepositPage(): ReactNode {
  const { id = '' } = useParams({ strict: false })
  const session = useSession()
  const [certificateAsked, setCertificateAsked] = useState(false)
  const { data, error, refetch, connected } = useDocument(id, certificateAsked)
  const hidden = useHiddenNames(session?.userId ?? '', data === undefined ? [] : [data])
  if (data === undefined) return <NotRead of="page" error={error} onAgain={() => void refetch()} />
  return (
    <Deposit document={data} hiddenName={hidden.get(data.id)} connected={connected} certificateAsked={certificateAsked}>
      <CertificateToCome document={data} asked={certificateAsked} onAsked={() => setCertificateAsked(true)} />
    </Deposit>
  )
}

function Deposit(props: {
  document: Document
  hiddenName: string | undefined
  connected: boolean
  certificateAsked: boolean
  children: ReactNode
}): ReactNode {
  const text = useText()
  const locale = useLocale()
  const manage = useMayManage()
  const { document } = props
  const name = useDocumentName()(document, props.hiddenName)
  const { seal } = document
  // What is to be paid is paid below.
  const changes = changesOf(document, document.category, manage).filter((change) => change !== 'pay')
  return (
    <div className={styles['page']}>
      <header className={styles['head']}>
        <div className={styles['words']}>
          <p data-screen="">
            <Link
              to={
                document.category === 'completed'
                  ? '/$locale/documents/completed/'
                  : document.category === 'trash'
                    ? '/$locale/documents/trash/'
                    : '/$locale/documents/pending/'
              }
              params={{ locale }}
            >
              {text('document.page.back')}
            </Link>
          </p>
          <h1>
            <bdi>{name}</bdi>
          </h1>
          {document.document_name === null && props.hiddenName !== undefined ? (
            <p className={styles['soft']}>{text('document.page.name_hidden')}</p>
          ) : null}
          <State document={document} connected={props.connected} />
          <Changes document={document} of={changes.filter((change) => change !== 'trash')} />
        </div>
        {seal === null ? null : (
          <Rosette root={seal.root} title={(root) => text('document.rosette', { root })} hint={text('document.rosette.hint')} />
        )}
      </header>
      {document.status === 'final' ? <Proofs document={document} /> : null}
      {document.status === 'awaiting_payment' ? <Payment document={document} manage={manage} /> : null}
      <section className={styles['section']} aria-labelledby="facts-heading">
        <h2 id="facts-heading">{text('document.facts')}</h2>
        <p className={styles['soft']}>
          {text(
            document.stored === null || document.stored.state === 'waiting'
              ? 'document.facts.text'
              : 'document.facts.text_before_copy',
          )}
        </p>
        <SealFacts document={document} />
      </section>
      {document.status === 'final' ? <ProofHealth document={document} /> : null}
      <section className={styles['section']} aria-labelledby="check-heading" data-screen="">
        <h2 id="check-heading">{text('document.check.title')}</h2>
        <Check document={document} name={name} file={null} />
      </section>
      <Describe document={document} manage={manage} />
      <Versions document={document} name={name} manage={manage} />
      <Copy document={document} manage={manage} />
      {manage && document.status === 'final' ? <Share document={document} /> : null}
      {props.children}
      <Certificate document={document} asked={props.certificateAsked} />
      {/* What nobody comes for is last. */}
      <Changes document={document} of={changes.filter((change) => change === 'trash')} />
    </div>
  )
}

function Changes(props: { document: Document; of: readonly Change[] }): ReactNode {
  const ids = [props.document.id]
  if (props.of.length === 0) return null
  return (
    <div className={styles['buttons']}>
      <ChangeButtons changes={props.of.map((change) => ({ change, ids }))} buttons={{ size: 'md' }} onDone={() => undefined} />
    </div>
  )
}

function State(props: { document: Document; connected: boolean }): ReactNode {
  const text = useText()
  const optionalText = useOptionalText()
  const locale = useLocale()
  const now = useServerTime(30_000)
  const {
    status,
    sealed_at: sealed,
    expires_at: expires,
    failure,
    duplicate_of: earlier,
    owner,
    created_by: maker,
  } = props.document
  return (
    <>
      <p role="status">
        <strong>{text(`document.state.${status}`)}</strong>{' '}
        {status === 'final' && sealed !== null ? formatExact(sealed, locale) : null}
        {status === 'draft' && expires !== null
          ? text('document.state.deleted_in', { time: formatCountdown(Date.parse(expires) - now) })
          : null}
        {failure === null
          ? null
          : (optionalText(`document.failure.${failure.code}`) ?? text('document.failure.other', { code: failure.code }))}
      </p>
      {failure === null ? null : <p className={noticeStyles['notice']}>{text('document.failure.again')}</p>}
      {props.connected ? null : <p className={styles['soft']}>{text('document.page.reconnecting')}</p>}
      {maker === null || maker.id === owner.id ? null : (
        <p className={styles['soft']}>
          {text('document.page.by_for', { maker: visible(maker.name), owner: visible(owner.name) })}
        </p>
      )}
      {earlier === null ? null : (
        <p className={noticeStyles['notice']} data-kind="caution">
          <Link to="/$locale/documents/deposit/$id/" params={{ locale, id: earlier.id }}>
            {earlier.sealed_at === null
              ? text('document.row.duplicate_unsealed')
              : text('document.row.duplicate', { date: formatInstant(earlier.sealed_at, locale) })}
          </Link>
        </p>
      )}
    </>
  )
}
