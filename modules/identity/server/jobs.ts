import { cleanUpJob } from './clean-up.ts'
import { warnOfEndingKeysJob } from './api-keys/warn-of-ending-keys.ts'
import { mailAddressTakenJob, mailConfirmationJob, mailNoticeJob, mailResetJob } from './mails/mail-jobs.ts'
import { answerMailRequestJob } from './sending/ask-for-mail.ts'

export const identityJobs = [
  answerMailRequestJob,
  mailConfirmationJob,
  mailAddressTakenJob,
  mailResetJob,
  mailNoticeJob,
  warnOfEndingKeysJob,
  cleanUpJob,
]

export const identityCrontab = `23 * * * * ${cleanUpJob.name}\n37 * * * * ${warnOfEndingKeysJob.name}`
