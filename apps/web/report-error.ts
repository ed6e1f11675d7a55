import { call } from '../../ui/api/call.ts'
import { builtFile, framesOf, scrubMessage, scrubName } from '../../kernel/reported-error.ts'
import { reportClientError } from '../../modules/outside/contract/client-errors.ts'

/** T-05: tells the operator, by his own server, what broke and where; of the page only which kind it is. */
export async function reportError(error: Error, page: string): Promise<void> {
  const body = {
    name: scrubName(error.name),
    message: scrubMessage(error.message),
    page,
    frames: framesOf(error.stack ?? '', builtFile),
  }
  await call(reportClientError, { body, anonymous: true })
}
