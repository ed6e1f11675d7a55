import { useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useEvidenceToken } from '../../../modules/evidence/web/held-evidences.ts'
import { loadPackage } from '../../../modules/evidence/web/load-package.ts'
import { ProofsPage } from '../../../modules/verification/web/pages/ProofsPage.tsx'
import { useLocale } from '../../../ui/intl/text.tsx'

/** `/proofs/#<evidence>`: the package of an evidence whose key this browser holds is fetched and verified at once. */
export function Proofs(): ReactNode {
  const { hash } = useLocation()
  const locale = useLocale()
  const token = useEvidenceToken(hash)
  const handed = token === null ? null : { load: () => loadPackage(hash, token, locale) }
  return <ProofsPage key={hash} handed={handed} />
}
