/** The record's face: from recorded bytes to exchanges, archive, HAR, certificates and completeness. */
export { describeCertificates, type CertificateSummary, type OriginCertificates } from './certificates.ts'
export type {
  Exchange,
  ExchangeBody,
  ExchangeRequest,
  ExchangeResponse,
  Loss,
  LossReason,
  RecordLimits,
  RecordReading,
  TlsFacts,
} from './exchange.ts'
export { comparableUrl, matchBrowserRequests, type BrowserRequest } from './match-browser-requests.ts'
export { readContent } from './read-body.ts'
export {
  reconcile,
  type MismatchReason,
  type ReconciledExchange,
  type ReconciledRequest,
  type Reconciliation,
} from './reconcile.ts'
export { reconstructExchanges, type ReconstructInput } from './reconstruct-exchanges.ts'
export type { RecordedChunk, RecordedConnection } from './recorded-connection.ts'
export { buildHar, type HarInput, type HarPage } from './write-har.ts'
export { writeWacz, type WaczPage, type WaczSignedData, type WaczSummary } from './write-wacz.ts'
export { writeReconciliation } from './write-reconciliation.ts'
export { writeWebSockets } from './write-websockets.ts'
