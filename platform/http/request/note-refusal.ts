import type { FastifyRequest } from 'fastify'
import { staffRoles } from '../../../kernel/actor.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { Log } from '../../log/log.ts'
import { addressPrefix } from './address-prefix.ts'

/**
 * Writes into the log that a caller was refused: who could not prove who he is, was not let in, came too often, or sent what our pages,
 * which have the same rules, do not send.
 */
export type NoteRefusal = (request: FastifyRequest, status: number, code: string) => void

/** A flood of refused calls must not fill the disk: of what comes beyond this many a minute, only the number is written. */
const mostPerMinute = 120

/** Kept out, too often, too large, of no type that is taken. */
const refusing: ReadonlySet<number> = new Set([401, 403, 413, 414, 415, 429, 431])

/** A call of staff is kept from others by not existing; a fault of what somebody typed has a code of its module, one of the door is an odd request. */
function isRefusal(request: FastifyRequest, status: number, code: string): boolean {
  if (refusing.has(status) || (status === 400 && code.startsWith('http.'))) return true
  const access = request.routeOptions.config.access ?? []
  return status === 404 && access.some((each) => staffRoles.some((role) => role === each))
}

/** Block of addresses and pattern of the route, as everywhere: neither addresses nor what they hold. */
export function createNoteRefusal(log: Log, clock: Clock): NoteRefusal {
  let minute = 0
  let [written, unwritten] = [0, 0]
  return (request, status, code) => {
    if (!isRefusal(request, status, code)) return
    const now = Math.floor(clock.now().getTime() / 60_000)
    if (now !== minute) {
      if (unwritten > 0) log.warn({ unwritten }, 'more callers were refused than are written down')
      minute = now
      ;[written, unwritten] = [0, 0]
    }
    if (written >= mostPerMinute) {
      unwritten += 1
      return
    }
    written += 1
    const { method, url } = request.routeOptions
    log.info(
      {
        request_id: request.id,
        method: typeof method === 'string' ? method : request.method,
        route: url ?? 'none',
        status,
        code,
        network: addressPrefix(request.ip),
      },
      `refused: ${code}`,
    )
  }
}
