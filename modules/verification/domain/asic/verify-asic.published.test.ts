import { testPublishedFindings } from '../../../../testing/published/published-findings.ts'
import { verifyAsicProof } from './verify-asic-proof.ts'

await testPublishedFindings(new URL('published.json', import.meta.url), verifyAsicProof)
