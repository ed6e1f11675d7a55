/**
 * Every environment variable of the product, once, by subject: the parser (parts/) and docs/CONFIGURATION.md (describe-settings.ts)
 * are both made from these tables.
 */
import { accounts } from './accounts.ts'
import { backup } from './backup.ts'
import { billing } from './billing.ts'
import { captures } from './captures.ts'
import { conditions } from './conditions.ts'
import { documents } from './documents.ts'
import { installation } from './installation.ts'
import { log } from './log.ts'
import { mail } from './mail.ts'
import { outside } from './outside.ts'
import { payments } from './payments.ts'
import { quotas } from './quotas.ts'
import { sealing } from './sealing.ts'
import { servers } from './servers.ts'
import { sessions } from './sessions.ts'
import { storage } from './storage.ts'
import { support } from './support.ts'
import { watching } from './watching.ts'
import { tls } from './tls.ts'

/** In the order of the document. */
export const subjects = {
  'The installation': installation,
  TLS: tls,
  'What it keeps, and where': storage,
  Backups: backup,
  Mail: mail,
  'Accounts and identity': accounts,
  'Plans and payments': billing,
  'Copies of deposited documents': documents,
  'Timestamps and keys': sealing,
  'The public log and its anchors': log,
  'Who may ask for how much': quotas,
  Payments: payments,
  Captures: captures,
  'Live sessions': sessions,
  'Conditions of a capture': conditions,
  'Capture servers': servers,
  Support: support,
  'Services of others': outside,
  Watching: watching,
} as const

export const settings = {
  ...installation,
  ...tls,
  ...storage,
  ...backup,
  ...mail,
  ...accounts,
  ...billing,
  ...documents,
  ...sealing,
  ...log,
  ...quotas,
  ...payments,
  ...captures,
  ...sessions,
  ...conditions,
  ...servers,
  ...support,
  ...outside,
  ...watching,
} as const

/** Variables of the product's own test runs: the program neither reads nor refuses them. */
export const testVariable = /^PROBANT_(?:E2E_[A-Z_]+|KILLS|SCREENSHOTS|SEED|WHOLE)$/
