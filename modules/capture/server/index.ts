/** Public face of the capture module on the server. */
export { CaptureFailure, type CaptureFailureCode } from '../domain/failures.ts'
export type {
  CapturedFile,
  CapturedImage,
  CaptureFacts,
  CapturePhase,
  CaptureProgress,
  ChecklistLine,
} from '../domain/outcome.ts'
export type { CaptureWarning, CaptureWarningCode } from '../domain/warnings.ts'
