/** Public face of the licensing module on the server. */
export type { LicensingDeps, LicensingWebDeps } from './keep/deps.ts'
export { licensingRoutes } from './routes.ts'
