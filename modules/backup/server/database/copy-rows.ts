import type { Socket } from 'node:net'
import type { Client, Connection, Submittable } from 'pg'

/** As many rows wait here at most before the server is made to wait. */
const mostWaiting = 256

/** What the driver hands a query of its own kind (PostgreSQL's protocol, 54.2.6); its types tell less. */
type CopyConnection = Connection & {
  readonly stream: Socket
  query(text: string): void
  sendCopyFromChunk(chunk: Uint8Array): void
  endCopyFrom(): void
  sendCopyFail(reason: string): void
}

/** Rows of `copy … to stdout`, one line of text each; no more are held than a few hundred, however slow they are taken. */
export async function* copyOut(client: Client, statement: string): AsyncGenerator<Buffer> {
  const rows: Buffer[] = []
  let connection: CopyConnection | undefined
  let ended = false
  let failure: Error | undefined
  let wake: () => void = () => undefined
  const tell = () => {
    wake()
  }
  const query = {
    submit(to: CopyConnection) {
      connection = to
      to.query(statement)
    },
    handleCopyData({ chunk }: { chunk: Buffer }) {
      // The driver's buffer is its own: the next packet is written over it.
      rows.push(Buffer.from(chunk))
      if (rows.length >= mostWaiting) connection?.stream.pause()
      tell()
    },
    handleCommandComplete() {},
    handleError(error: Error) {
      failure = error
      ended = true
      tell()
    },
    handleReadyForQuery() {
      ended = true
      tell()
    },
  }
  client.query(query as unknown as Submittable)
  try {
    for (;;) {
      const row = rows.shift()
      if (row !== undefined) {
        yield row
        continue
      }
      if (failure !== undefined) throw failure
      if (ended) return
      const { promise, resolve } = Promise.withResolvers<void>()
      wake = resolve
      connection?.stream.resume()
      await promise
    }
  } finally {
    connection?.stream.resume()
  }
}

/** Hands chunks to `copy … from stdin`; the server's socket says how fast. */
export async function copyIn(client: Client, statement: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  const ready = Promise.withResolvers<CopyConnection>()
  const done = Promise.withResolvers<void>()
  // Whoever awaits the first may never come to the second.
  done.promise.catch(() => undefined)
  let connection: CopyConnection | undefined
  let failure: Error | undefined
  const query = {
    submit(to: CopyConnection) {
      connection = to
      to.query(statement)
    },
    handleCopyInResponse(to: CopyConnection) {
      ready.resolve(to)
    },
    handleCommandComplete() {},
    handleError(error: Error) {
      failure = error
      ready.reject(error)
      done.reject(error)
    },
    handleReadyForQuery() {
      done.resolve()
    },
  }
  client.query(query as unknown as Submittable)
  const to = await ready.promise
  try {
    for await (const chunk of chunks) {
      if (failure !== undefined) break
      to.sendCopyFromChunk(chunk)
      await drained(to)
    }
    if (failure === undefined) to.endCopyFrom()
  } catch (error) {
    connection?.sendCopyFail('the backup could not be read')
    await done.promise.catch(() => undefined)
    throw error
  }
  await done.promise
}

async function drained({ stream }: CopyConnection): Promise<void> {
  if (!stream.writableNeedDrain || stream.destroyed) return
  const { promise, resolve } = Promise.withResolvers<void>()
  stream.once('drain', resolve)
  stream.once('close', resolve)
  await promise
  stream.off('drain', resolve)
  stream.off('close', resolve)
}
