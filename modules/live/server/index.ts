/** Public face of live sessions on the server. */
export {
  liveClose,
  liveFrame,
  liveFrameHead,
  liveInput,
  liveRoles,
  type LiveInput,
  type LiveOutput,
  type LiveRole,
} from '../contract/live.ts'
export * as liveCalls from '../contract/endpoints.ts'
export type { Leaving, LiveSession, LiveSessions, Viewer } from './session/viewers/viewer.ts'
export { steeredBrowser } from './session/tabs/steered-browser.ts'
export { captureInteractive } from './visit/capture-interactive.ts'
export type { InteractiveInput } from './visit/visit-input.ts'
