import type { ReactNode } from 'react'
import { CaptureForm } from '../../../modules/evidence/web/ask/CaptureForm.tsx'
import { HomePage } from '../../../modules/site/web/pages/HomePage.tsx'

/** The home page belongs to the site, the tool on it to the evidences: neither knows the other. */
export function Home(): ReactNode {
  return <HomePage tool={<CaptureForm />} />
}
