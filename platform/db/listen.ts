import { Client, escapeIdentifier } from 'pg'
import { silentLog, type Log } from '../log/log.ts'

export type Listener = { close(): Promise<void> }

export type ListenOptions = {
  /** Called when the connection is lost: what is sent from now on, and was since it fell silent, is heard by nobody. */
  readonly onLost?: () => void
  /** Called after a lost connection is back: notifications sent meanwhile are gone, so the caller reads the state again. */
  readonly onReconnect?: () => void
  readonly log?: Log
}

/** The connection may be dead already, which ending it then reports. */
async function endQuietly(client: Client): Promise<void> {
  await client.end().catch(() => undefined)
}

const firstDelayMs = 100
const longestDelayMs = 5_000
/** A connection whose other end went without a word is dead: it is asked so often, and has so long to answer. */
const askedEveryMs = 5_000
const answerMs = 5_000

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
  let current: Client | undefined
  let timer: NodeJS.Timeout | undefined
  let connecting: Promise<void> | undefined

  async function connect(): Promise<void> {
    const client = new Client({
      connectionString: url,
      keepAlive: true,
      application_name: 'probant-listen',
      connectionTimeoutMillis: 10_000,
      query_timeout: answerMs,
    })
    let ended = false
    let asking: NodeJS.Timeout | undefined
    const lost = (error?: Error) => {
      if (ended) return
      ended = true
      clearInterval(asking)
      void endQuietly(client)
      if (current !== client) return
      current = undefined
      if (!closed) {
        options.onLost?.()
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
      await client.query(`listen ${escapeIdentifier(channel)}`)
    } catch (error) {
      ended = true
      await endQuietly(client)
      throw error
    }
    if (closed || ended) {
      await endQuietly(client)
      if (!closed) throw new Error('connection lost while subscribing')
      return
    }
    current = client
    asking = setInterval(() => void client.query('select 1').catch(lost), askedEveryMs).unref()
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
      if (current !== undefined) await endQuietly(current)
    },
  }
}
