import type { ReactNode } from 'react'
import { LogPage } from '../../../modules/sealing/web/pages/LogPage.tsx'
import { LogLookUp } from '../../../modules/verification/web/log/LogLookUp.tsx'

export function Log(): ReactNode {
  return <LogPage lookUp={<LogLookUp />} />
}
