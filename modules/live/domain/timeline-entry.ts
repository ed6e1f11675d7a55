/** One line of `capture/timeline.jsonl` (`probant-timeline/1`, docs/package-format.md): RFC 8785, each with the SHA-256 of the line before it. */
export type TimelineEntry = {
  readonly n: number
  /** Milliseconds since the recording began, three decimals; negative before it. */
  readonly ms: number
  /** Our clock, UTC. */
  readonly at: string
  readonly type:
    | 'session'
    | 'pointer'
    | 'touch'
    | 'key'
    | 'text'
    | 'paste'
    | 'navigation'
    | 'tab'
    | 'history'
    | 'zoom'
    | 'dialog'
    | 'request'
    | 'screenshot'
    | 'download'
    | 'upload'
    | 'secret'
    | 'credentials'
    | 'viewer'
    | 'witness'
    | 'warning'
    | 'crash'
    | 'video'
    | 'timestamp'
    | 'end'
  readonly data: Readonly<Record<string, unknown>>
  /** Hexadecimal SHA-256 of the line before, without its line feed; null in the first. */
  readonly previous: string | null
}
