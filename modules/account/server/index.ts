/** Public face of the account module on the server. */
export { findDelegation } from './sharing/delegate-access.ts'
export { accountCrontab, accountHandlers } from './handlers.ts'
export { accountJobs } from './people/jobs.ts'
export { endingLinks, findNotified, mayActFor, type Notified } from './settings/notified-people.ts'
export { accountRoutes } from './routes.ts'
export { findCountry, findSettings } from './people/profile-store.ts'
export type { NotificationKind, Settings } from '../domain/settings.ts'
export { readTypedProfile, type TypedField, type TypedProfile } from './profile/typed-profile.ts'
