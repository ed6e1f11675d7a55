/** The record's face: from recorded bytes to exchanges, archive, HAR, certificates and completeness. */
export { describeCertificates, type CertificateSummary, type OriginCertificates } from './exchange/certificates.ts'
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
} from './exchange/exchange.ts'
export { comparableUrl, matchBrowserRequests, type BrowserRequest } from './exchange/match-browser-requests.ts'
export { readContent } from './exchange/read-body.ts'
export {
  reconcile,
  type MismatchReason,
  type ReconciledExchange,
  type ReconciledRequest,
  type Reconciliation,
} from './reconcile/reconcile.ts'
export { reconstructExchanges, type ReconstructInput } from './http/reconstruct-exchanges.ts'
export type { RecordedChunk, RecordedConnection } from './exchange/recorded-connection.ts'
export { buildHar, type HarInput, type HarPage } from './archive/write-har.ts'
export { writeWacz, type WaczPage, type WaczSignedData, type WaczSummary } from './archive/write-wacz.ts'
export { writeReconciliation } from './reconcile/write-reconciliation.ts'
export { writeWebSockets } from './archive/write-websockets.ts'
