/** Public face of the site module on the server. */
export { legalFacts, type OperatorFacts } from './legal-facts.ts'
export { createStatus, statusRoutes, tellStatus, type ReadStatus } from './status.ts'
export { describeSite } from './structured-data.ts'
