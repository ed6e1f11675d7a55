/**
 * Every environment variable of the product, once, by subject: the parser (config.ts) and docs/CONFIGURATION.md (describe-settings.ts)
 * are both made from these tables.
 */
import { accounts } from './settings/accounts.ts'
import { backup } from './settings/backup.ts'
import { billing } from './settings/billing.ts'
import { captures } from './settings/captures.ts'
import { conditions } from './settings/conditions.ts'
import { documents } from './settings/documents.ts'
import { installation } from './settings/installation.ts'
import { log } from './settings/log.ts'
import { mail } from './settings/mail.ts'
import { outside } from './settings/outside.ts'
import { payments } from './settings/payments.ts'
import { quotas } from './settings/quotas.ts'
import { sealing } from './settings/sealing.ts'
import { servers } from './settings/servers.ts'
import { sessions } from './settings/sessions.ts'
import { storage } from './settings/storage.ts'
import { support } from './settings/support.ts'
import { watching } from './settings/watching.ts'
import { tls } from './settings/tls.ts'

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
