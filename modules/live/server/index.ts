/** Public face of live sessions on the server. */
export {
  liveClose,
  liveFrame,
  liveFrameHead,
  liveInput,
  type LiveInput,
  type LiveOutput,
  type LiveRole,
} from '../contract/live.ts'
export * as liveCalls from '../contract/endpoints.ts'
export type { Leaving, LiveSession, LiveSessions, Viewer } from './session/viewers/viewer.ts'
export { steeredBrowser } from './session/tabs/steered-browser.ts'
export { captureInteractive } from './visit/capture-interactive.ts'
export type { InteractiveInput } from './visit/visit-input.ts'
export { admitByLoad } from './doors/admit-by-load.ts'
export { callSession } from './doors/dial-session.ts'
export type { SessionCall } from './doors/door-protocol.ts'
export { deleteOldHandOffs, keepHandOff, takeHandOff } from './doors/hand-off-store.ts'
export type { ViewerGround, ViewerHolding, ViewerRights } from './doors/hold-viewer.ts'
export { issueTicket } from './doors/live-ticket.ts'
export { findLiveTime, findSession } from './doors/session-store.ts'
export { openSessionsDoor, type SessionsDoor } from './doors/sessions-door.ts'
export { createViewersDoor, type ViewersDoor } from './doors/viewers-door.ts'
export { findWitness, insertWitness, listWitnesses, revokeWitness, type WitnessRecord } from './doors/witness-store.ts'
