/** Public face of live sessions on the server. */
export * from '../contract/live.ts'
export * as liveCalls from '../contract/endpoints.ts'
export { recentMost, slowSide, type SlowSide } from '../domain/slow-side.ts'
