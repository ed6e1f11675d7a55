import type { ConnectionRecord } from './connection-record.ts'

export type TunnelEvents = {
  /** A request was refused; its record says why. */
  refused: [ConnectionRecord]
  opened: [ConnectionRecord]
  /** Both sides are closed and every byte is in the file. */
  closed: [ConnectionRecord]
}
