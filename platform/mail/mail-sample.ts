import type { Mail } from './mailer.ts'

/** One mail as it would be sent, for whoever looks at all of them in development. */
export type MailSample = {
  /** Id of its subject in the catalogues: of every one there is, there is a sample. */
  readonly subject: string
  readonly mail: Mail
}
