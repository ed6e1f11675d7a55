import { testPublishedFindings } from '../../../../testing/published/published-findings.ts'
import { verifyPdfProof } from './verify-pdf-proof.ts'

await testPublishedFindings(new URL('published.json', import.meta.url), verifyPdfProof)
