import pg from 'pg'
import { silentLog, type Log } from '../log/log.ts'

export type Listener = { close(): Promise<void> }

export type ListenOptions = {
  /** Called after a lost connection is back: notifications sent meanwhile are gone, so the caller reads the state again. */
  readonly onReconnect?: () => void
  readonly log?: Log
}

const firstDelayMs = 100
const longestDelayMs = 5_000

/**
 * Subscribes to PostgreSQL notifications on one dedicated connection. Resolves once the subscription is in force; rejects
 * when the first connection fails. Later losses are mended by reconnecting until `close`.
 */
export async function listen(
  url: string,
  channel: string,
  onPayload: (payload: string) => void,
  options: ListenOptions = {},
): Promise<Listener> {
  const log = options.log ?? silentLog
  let closed = false
  let current: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  let connecting: Promise<void> | undefined

  async function connect(): Promise<void> {
    const client = new pg.Client({ connectionString: url, keepAlive: true, application_name: 'probant-listen', connectionTimeoutMillis: 10_000 })
    let ended = false
    const lost = (error?: Error) => {
      if (ended) return
      ended = true
      client.end().catch(() => undefined)
      if (current !== client) return
      current = undefined
      if (!closed) {
        log.warn({ err: error, channel }, 'notification connection lost')
        schedule(firstDelayMs)
      }
    }
    client.on('error', lost)
    client.on('end', () => lost())
    client.on('notification', (message) => {
      if (message.channel === channel && !closed) onPayload(message.payload ?? '')
    })
    try {
      await client.connect()
      await client.query(`listen ${pg.escapeIdentifier(channel)}`)
    } catch (error) {
      ended = true
      await client.end().catch(() => undefined)
      throw error
    }
    if (closed || ended) {
      await client.end().catch(() => undefined)
      if (!closed) throw new Error('connection lost while subscribing')
      return
    }
    current = client
  }

  function schedule(delayMs: number): void {
    timer = setTimeout(() => {
      connecting = connect().then(
        () => {
          if (!closed) options.onReconnect?.()
        },
        (error: unknown) => {
          log.warn({ err: error, channel }, 'notification connection not back yet')
          if (!closed) schedule(Math.min(delayMs * 2, longestDelayMs))
        },
      )
    }, delayMs)
  }

  await connect()
  return {
    async close() {
      closed = true
      clearTimeout(timer)
      await connecting
      await current?.end()
    },
  }
}
