export { CaptureFailure, type CaptureFailureCode } from '../domain/failures.ts'
export { captureLimitsFrom, defaultCaptureLimits, type CaptureLimits } from '../domain/limits.ts'
export type {
  CapturedFile,
  CapturedImage,
  CaptureFacts,
  CapturePhase,
  CaptureProgress,
  ChecklistLine,
} from '../domain/outcome.ts'
export type { CaptureWarning, CaptureWarningCode } from '../domain/warnings.ts'
export type { Notary } from './notary.ts'
export type { CaptureDeps, CaptureInput, CaptureResult } from './capture-request.ts'
export { captureStatic } from './capture-static.ts'
export { compareVantages, type ImagesCompared, type SeenFromVantage } from '../domain/compare-vantages.ts'
export { startWarmPool, type WarmPool } from './warm-pool.ts'
export * from './servers/index.ts'
export {
  chooseScenario,
  fillScenario,
  loadScenarios,
  readScenarioFile,
  reviveScenario,
  ScenarioRefused,
  scenarioRoutes,
  type ChosenScenario,
  type LoadedScenario,
  type Preparation,
  type ScenarioChoice,
} from './scenario/index.ts'
export type { Leaving, LiveSession, LiveSessions, Viewer } from './interactive/viewer.ts'
export { sweepSessionFolders } from '../../../platform/browser/session-folder.ts'
export {
  createConditionProbes,
  measureClockOffset,
  measurePublicAddress,
  type ConditionProbes,
  type OutsideSources,
} from './conditions/index.ts'
export { captureInteractive, type CaptureDevice, type InteractiveInput } from './interactive/capture-interactive.ts'
export { conditionsOf, presenceOf } from '../domain/conditions.ts'
