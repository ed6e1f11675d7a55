import { Link, useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, type ReactNode } from 'react'
import { version } from '../../../package.json'
import { useEvidenceToken } from '../../../modules/evidence/web/held/held-evidences.ts'
import { loadSample } from '../../../modules/sample/web/index.ts'
import { formKinds } from '../../../modules/verification/web/ask/form-kinds.ts'
import { ProofsPage } from '../../../modules/verification/web/pages/ProofsPage.tsx'
import { useLocale, useText } from '../../../ui/intl/text.tsx'
import { atRest } from '../../../ui/shell/at-rest.ts'
import { loadChunk } from '../../../ui/shell/chunk-failure.ts'
import { ensureCatalogue } from '../catalogues/catalogues.ts'
import { keepVerifier } from '../offline/keep-verifier.ts'
import styles from './proofs-link.module.css'

/**
 * `/proofs/#<evidence>`: the package of an evidence whose key this browser holds is fetched and verified at once.
 * `/proofs/?kind=nano`: the form of that kind is open. `/proofs/?sample=true`: so is the sample of this installation.
 */
export function Proofs(): ReactNode {
  const { hash } = useLocation()
  const search: { kind?: unknown; sample?: unknown } = useSearch({ strict: false })
  const navigate = useNavigate()
  const text = useText()
  const locale = useLocale()
  useEffect(() => void atRest().then(keepVerifier), [])
  const token = useEvidenceToken(hash)
  // Whoever is signed in reads his own without a token: only an address that names one hands it over.
  const held =
    hash === '' || token === undefined
      ? null
      : {
          load: async () => {
            const { loadPackage } = await loadChunk(() => import('../../../modules/evidence/web/result/load-package.ts'))
            return await loadPackage(hash, token, locale)
          },
        }
  const handed = search.sample === true ? { load: async () => await loadSample(locale) } : held
  const kind = formKinds.find((each) => each === search.kind) ?? null
  return (
    <>
      <ProofsPage
        key={search.sample === true ? 'sample' : hash}
        handed={handed}
        version={version}
        kind={kind}
        words={() => ensureCatalogue(locale, 'verification')}
        onKind={(chosen) =>
          void navigate({
            to: '/$locale/proofs/',
            params: { locale },
            search: chosen === null ? {} : { kind: chosen },
            hash: true,
            replace: true,
            resetScroll: false,
          })
        }
      />
      <p className={styles['link']}>
        <Link to="/$locale/log/" params={{ locale }}>
          {text('site.proofs.log')}
        </Link>
      </p>
    </>
  )
}
