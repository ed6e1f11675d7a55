import type { ReactNode } from 'react'
import { LogPage } from '../../../modules/sealing/web/pages/LogPage.tsx'
import { LogLookUp } from '../../../modules/verification/web/log/LogLookUp.tsx'
import { useLocale } from '../../../ui/intl/text.tsx'
import { ensureCatalogue } from '../catalogues/catalogues.ts'

export function Log(): ReactNode {
  const locale = useLocale()
  return <LogPage lookUp={<LogLookUp words={() => ensureCatalogue(locale, 'verification')} />} />
}
