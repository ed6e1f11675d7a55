import type { Socket } from 'node:net'

/** What one sends the other receives; the end of one is the end of both. */
export function joinSockets(one: Socket, other: Socket, open?: Set<Socket>): void {
  for (const socket of [one, other]) {
    open?.add(socket)
    // A Unix socket has no such thing; there it does nothing.
    socket.setNoDelay(true)
    socket.on('error', () => undefined)
    socket.on('close', () => {
      open?.delete(socket)
      one.destroy()
      other.destroy()
    })
  }
  one.pipe(other)
  other.pipe(one)
}
