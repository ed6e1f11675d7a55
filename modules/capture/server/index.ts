/** Public face of the capture on the server: whole captures, and what a module that steers a browser makes one of. */
export { CaptureFailure, type CaptureFailureCode } from '../domain/outcome/failures.ts'
export { captureLimitsFrom, defaultCaptureLimits, type CaptureLimits } from '../domain/outcome/limits.ts'
export type {
  CapturedFile,
  CapturedImage,
  CaptureFacts,
  CapturePhase,
  CaptureProgress,
  CaptureResult,
  ChecklistLine,
} from '../domain/outcome/outcome.ts'
export type { InteractiveFacts } from '../domain/outcome/interactive-facts.ts'
export type { PageObservation } from '../domain/quality/page-observation.ts'
export type { CaptureWarning, CaptureWarningCode } from '../domain/outcome/warnings.ts'
export { compareVantages, type ImagesCompared, type SeenFromVantage } from '../domain/compare-vantages.ts'
export { conditionsOf, presenceOf } from '../domain/conditions/conditions.ts'
export { beginSession } from './begin-session.ts'
export { captureStatic } from './capture-static.ts'
export { boundCapture } from './course/bound-capture.ts'
export type { CaptureDeps, CaptureInput } from './course/capture-request.ts'
export type { ShowDeps, ShownPage } from './course/show-page.ts'
export type { Notary } from './dating/notary.ts'
export type { SessionTimestamps } from './dating/session-timestamps.ts'
export type { Tunnel } from './network/index.ts'
export type { ActionLog } from './page/action-log.ts'
export type { ObservedRequest, Observation } from './page/observe-browser.ts'
export { observePage } from './page/observe-page.ts'
export { newPageState, viewport, type PageState } from './page/open-page.ts'
export { mostSheets, saveDom, saveMhtml, savePdf } from './page/save-page.ts'
export { pngSize, tileHeight, type Screenshots } from './page/take-screenshots.ts'
export { createSecretMasker } from './secrets/mask-secrets.ts'
export type { EnteredSecret } from './secrets/masking.ts'
export type { CaptureSession } from './session/open-session.ts'
export type { SessionState } from './session/prepare-session.ts'
export { onePage, type SessionKind } from './session/session-kind.ts'
export { startWarmPool, type WarmPool } from './session/warm-pool.ts'
export * from './servers/index.ts'
export {
  chooseScenario,
  fillScenario,
  loadScenarios,
  readScenarioFile,
  reviveScenario,
  ScenarioRefused,
  scenarioRoutes,
  untouched,
  type ChosenScenario,
  type LoadedScenario,
  type Preparation,
  type ScenarioChoice,
} from './scenario/index.ts'
export { sweepSessionFolders } from '../../../platform/browser/session-folder.ts'
export {
  createConditionProbes,
  interfacesOfBrowser,
  measureClockOffset,
  measurePublicAddress,
  siteOf,
  type ConditionProbes,
  type OutsideSources,
  type SessionConditions,
} from './conditions/index.ts'
