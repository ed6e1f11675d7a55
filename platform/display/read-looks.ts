/**
 * Lines of ffmpeg's filter `metadata` (`mode=print`): `frame:NUMBER pts:MICROSECONDS …`, one after so many of the encoder's times at which the
 * screen was looked at, whether that gave a picture or not. From when they were follows at how many of its times it was not looked at.
 */

/** None of ours is as long. */
const longestLine = 1_000

export function createLookReader(sink: {
  readonly everyUs: number
  /** How many times a line stands for. */
  readonly times: number
  missed(count: number): void
}): {
  push(bytes: Uint8Array): void
} {
  let rest = ''
  let firstUs: number | null = null
  let lines = 0
  const take = (line: string): void => {
    const [, time] = /^frame:\d{1,12} +pts:(\d{1,16}) /.exec(line) ?? []
    if (time === undefined) return
    const atUs = Number(time)
    firstUs ??= atUs
    // The last may be late too: a time has passed when a quarter of the next has not.
    const passed = Math.floor((atUs - firstUs) / sink.everyUs + 0.25)
    sink.missed(Math.max(0, passed - lines * sink.times))
    lines += 1
  }
  return {
    push: (bytes) => {
      const whole = (rest + Buffer.from(bytes).toString('latin1')).split('\n')
      rest = whole.pop() ?? ''
      for (const line of whole) take(line)
      if (rest.length > longestLine) throw new RangeError('looks: a line is too long')
    },
  }
}
