import { handle, type JobHandler } from '../../../platform/jobs/jobs.ts'
import { answerMailRequest, answerMailRequestJob } from './sending/ask-for-mail.ts'
import { cleanUp, cleanUpJob } from './clean-up.ts'
import type { IdentityJobDeps } from './people/deps.ts'
import { mailAddressTakenJob, mailConfirmationJob, mailNoticeJob, mailResetJob } from './mails/mail-jobs.ts'
import { sendAddressTaken, sendConfirmation, sendNotice, sendReset } from './sending/send-mails.ts'
import { warnOfEndingKeys, warnOfEndingKeysJob } from './api-keys/warn-of-ending-keys.ts'

export function identityHandlers(deps: IdentityJobDeps): JobHandler[] {
  return [
    handle(answerMailRequestJob, async ({ request_id }) => await answerMailRequest(deps, request_id)),
    handle(mailConfirmationJob, async ({ token_id }) => await sendConfirmation(deps, token_id)),
    handle(mailAddressTakenJob, async ({ email_id }) => await sendAddressTaken(deps, email_id)),
    handle(mailResetJob, async ({ token_id, email_id }) => await sendReset(deps, token_id, email_id)),
    handle(
      mailNoticeJob,
      async ({ user_id, notice, email_id, session_id, api_key_id, at }) =>
        await sendNotice(deps, {
          userId: user_id,
          notice,
          emailId: email_id,
          sessionId: session_id,
          apiKeyId: api_key_id,
          at: new Date(at),
        }),
    ),
    handle(warnOfEndingKeysJob, async () => {
      const keys = await warnOfEndingKeys(deps)
      if (keys > 0) deps.log.info({ keys }, 'API keys end soon: their owners are told')
    }),
    handle(cleanUpJob, async () => {
      const cleaned = await cleanUp(deps)
      if (Object.values(cleaned).some((count) => count > 0)) deps.log.info(cleaned, 'what had run out was deleted')
    }),
  ]
}
