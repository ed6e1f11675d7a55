/** Public face of the account module on the server. */
export { findDelegation } from './delegate-access.ts'
export { accountCrontab, accountHandlers } from './handlers.ts'
export { accountJobs } from './jobs.ts'
export { endingLinks, findNotified, mayActFor, type Notified } from './notified-people.ts'
export { accountRoutes } from './routes.ts'
export { findCountry, findSettings } from './profile-store.ts'
export type { NotificationKind, Settings } from '../domain/settings.ts'
export { readTypedProfile, type TypedField, type TypedProfile } from './typed-profile.ts'
