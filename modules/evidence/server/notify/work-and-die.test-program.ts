/**
 * A worker that sends the mails of notifications until it is killed with its first: `before`, once it is asked to send it; `after`, once it
 * was taken; `never`.
 */
import { systemClock } from '../../../../kernel/clock.ts'
import { createFolderBlobStore } from '../../../../platform/blobs/folder-blob-store.ts'
import { openDatabase } from '../../../../platform/db/database.ts'
import { runWorker } from '../../../../platform/jobs/worker.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { createMailer } from '../../../../platform/mail/mailer.ts'
import { notificationJobs } from '../record/jobs.ts'
import { notificationHandlers } from '../notification-handlers.ts'

const [databaseUrl = '', folder = '', smtpUrl = '', when = ''] = process.argv.slice(2)
const db = openDatabase(databaseUrl, { max: 5, log: silentLog })
const mail = { smtpUrl: smtpUrl === '' ? undefined : smtpUrl, from: 'Probant <reports@probant.example>', folder }
const mailer = createMailer({ mail })

function dieWhen(moment: string): void {
  if (moment === when) process.kill(process.pid, 'SIGKILL')
}

await runWorker({
  databaseUrl,
  jobs: notificationJobs,
  handlers: notificationHandlers({
    db,
    blobs: createFolderBlobStore(folder),
    clock: systemClock,
    log: silentLog,
    secret: 's'.repeat(32),
    publicUrl: 'https://probant.example',
    mailer: {
      ...mailer,
      async send(one) {
        dieWhen('before')
        await mailer.send(one)
        dieWhen('after')
      },
    },
  }),
  concurrency: 1,
  log: silentLog,
})
