import type { Db } from '../../../../platform/db/database.ts'
import type { Log } from '../../../../platform/log/log.ts'
import { listServerStatuses } from './servers-store.ts'

/**
 * Tells when a server came, went or changed its state. A server that falls silent announces nothing: somebody must look.
 * One small query each `intervalMs`, for all the visitors of this process.
 */
export async function watchServers(
  deps: { readonly db: Db; readonly log: Log },
  onChange: () => void,
  intervalMs = 3_000,
): Promise<{ stop(): Promise<void> }> {
  let before: string | null = null
  let looking = Promise.resolve()
  const look = async () => {
    try {
      const states = (await listServerStatuses(deps.db)).map(({ id, kind, status }) => `${id} ${kind} ${status}`).join('\n')
      if (before !== null && before !== states) onChange()
      before = states
    } catch (error) {
      deps.log.warn({ err: error }, 'the state of the capture servers could not be read')
    }
  }
  await look()
  const timer = setInterval(() => {
    looking = looking.then(look)
  }, intervalMs)
  return {
    async stop() {
      clearInterval(timer)
      await looking
    },
  }
}
