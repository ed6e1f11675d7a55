import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Rosette } from '../../../../ui/controls/Rosette.tsx'
import { dot } from '../../../../ui/intl/dot.ts'
import { formatExact } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { Check } from '../check/CheckFile.tsx'
import { Certificate } from '../deposit/Certificate.tsx'
import { Lines } from '../deposit/Describe.tsx'
import { HealthSign } from '../deposit/ProofHealth.tsx'
import { NotRead } from '../deposit/NotRead.tsx'
import { Proofs } from '../deposit/Proofs.tsx'
import { SealFacts } from '../deposit/SealFacts.tsx'
import { useDocumentName } from '../deposit/document-name.ts'
import { sharedQuery } from '../deposit/queries.ts'
import styles from '../deposit/deposit.module.css'

/** What stands of a shared deposit, for whoever has the address: to look at, to verify, and nothing to change. */
export function SharedDepositPage(): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { token = '' } = useParams({ strict: false })
  const { data, error, refetch } = useQuery(sharedQuery(token))
  const nameOf = useDocumentName()
  if (data === undefined) return <NotRead of="shared" error={error} onAgain={() => void refetch()} />
  const name = nameOf(data, undefined)
  return (
    <div className={styles['page']}>
      <header className={styles['head']}>
        <div className={styles['words']}>
          <h1>
            <bdi>{name}</bdi>
          </h1>
          <p>{text('document.shared.lead', { owner: visible(data.owner.name) })}</p>
          <p>
            <strong>{text(`document.state.${data.status}`)}</strong>{' '}
            {data.sealed_at === null ? null : formatExact(data.sealed_at, locale)}
            {data.health === null ? null : (
              <>
                {dot}
                <HealthSign health={data.health} />
              </>
            )}
          </p>
          {data.description === '' ? null : <Lines of={data.description} />}
          <p className={styles['soft']}>{text('document.shared.declared')}</p>
        </div>
        {data.seal === null ? null : (
          <Rosette
            root={data.seal.root}
            title={(root) => text('document.rosette', { root })}
            hint={text('document.rosette.hint')}
          />
        )}
      </header>
      <section className={styles['section']} aria-labelledby="check-heading">
        <h2 id="check-heading">{text('document.check.title')}</h2>
        <Check document={data} name={name} file={null} shared />
      </section>
      <section className={styles['section']} aria-labelledby="facts-heading">
        <h2 id="facts-heading">{text('document.facts')}</h2>
        <p className={styles['soft']}>{text('document.shared.facts')}</p>
        <SealFacts document={data} />
      </section>
      <Proofs document={data} />
      <p>
        <Link to="/$locale/proofs/" params={{ locale }}>
          {text('document.shared.proofs')}
        </Link>
      </p>
      <Certificate document={data} />
    </div>
  )
}
