/** A WebSocket as decoded from the wire beside what the browser handed to the page or took from it. */
import type { BrowserRequest } from '../exchange/match-browser-requests.ts'
import type { ReadSocket } from '../archive/write-websockets.ts'

type Difference = {
  readonly wrong: readonly ('socket_messages_differ' | 'socket_undecodable')[]
  readonly known: readonly ('socket_messages_not_listed' | 'endless')[]
}

/**
 * Control frames are the browser's own. A message that was on its way when the capture ended may be known to one side only:
 * to the wire when it was received, to the browser when it was sent. Any other difference is a loss.
 */
export function compareSockets(socket: ReadSocket, seen: NonNullable<BrowserRequest['socket']> | null): Difference {
  const damaged = [socket.sent, socket.received].some(({ damage }) => damage !== null && damage !== 'ends_inside_message')
  if (damaged) return { wrong: ['socket_undecodable'], known: [] }
  if (seen === null || seen.dropped > 0) return { wrong: [], known: ['socket_messages_not_listed'] }
  const onWire = {
    sent: socket.sent.messages.filter(({ type }) => type === 'text' || type === 'binary').map(({ sha256 }) => sha256),
    received: socket.received.messages.filter(({ type }) => type === 'text' || type === 'binary').map(({ sha256 }) => sha256),
  }
  const agrees = startsWith(seen.sent, onWire.sent) && startsWith(onWire.received, seen.received)
  return { wrong: agrees ? [] : ['socket_messages_differ'], known: [] }
}

function startsWith(longer: readonly string[], shorter: readonly string[]): boolean {
  return shorter.length <= longer.length && shorter.every((hash, position) => hash === longer[position])
}
