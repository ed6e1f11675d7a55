/** Public face of the dispute module on the server. */
export { eraseDisputePacks, exportDisputePacks } from './keep/pack-store.ts'
export { disputeRoutes } from './routes.ts'
