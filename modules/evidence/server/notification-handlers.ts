import { handle, type JobHandler } from '../../../platform/jobs/jobs.ts'
import type { EvidenceDeps } from './record/deps.ts'
import { endTermsJob, remindOfDraftsJob, sendNotificationJob, warnOfWeakeningJob } from './record/jobs.ts'
import { endTerms } from './keep/keep-files.ts'
import { remindOfDrafts } from './notify/remind-of-drafts.ts'
import { sendNotification, type NotifyDeps } from './notify/mail/send-notification.ts'
import { warnOfWeakening } from './notify/warn-of-weakening.ts'

export function notificationHandlers(deps: EvidenceDeps & NotifyDeps): JobHandler[] {
  return [
    handle(sendNotificationJob, async ({ notification_id }) => await sendNotification(deps, notification_id)),
    handle(remindOfDraftsJob, async () => {
      const drafts = await remindOfDrafts(deps)
      if (drafts > 0) deps.log.info({ drafts }, 'drafts end soon: their people are told')
    }),
    handle(endTermsJob, async () => {
      const done = await endTerms(deps)
      if (done.reminded + done.deleted > 0) deps.log.info(done, 'files that do not stay: reminders, and those whose time is over')
    }),
    handle(warnOfWeakeningJob, async () => {
      const reports = await warnOfWeakening(deps)
      if (reports > 0) deps.log.warn({ reports }, 'stamps were not renewed in time')
    }),
  ]
}

export const notificationCrontab = [
  `*/5 * * * * ${remindOfDraftsJob.name}`,
  `53 * * * * ${endTermsJob.name}`,
  // After the renewals of the day.
  `37 4 * * * ${warnOfWeakeningJob.name}`,
].join('\n')
