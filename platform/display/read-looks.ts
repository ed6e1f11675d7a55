/**
 * Lines of ffmpeg's filter `metadata` (`mode=print`): `frame:NUMBER pts:MICROSECONDS …`, which look at the screen this was and when. Between two
 * of them lie looks that gave no picture as nothing had changed; from both follows at how many of its times the screen was not looked at.
 */

/** None of ours is as long. */
const longestLine = 1_000

export function createLookReader(sink: { readonly everyUs: number; missed(count: number): void }): {
  push(bytes: Uint8Array): void
} {
  let rest = ''
  let first: { readonly look: number; readonly atUs: number } | null = null
  const take = (line: string): void => {
    const [, number, time] = /^frame:(\d{1,12}) +pts:(\d{1,16}) /.exec(line) ?? []
    if (number === undefined) return
    const [look, atUs] = [Number(number), Number(time)]
    first ??= { look, atUs }
    // The last may be late too: a time has passed when a quarter of the next has not.
    const passed = Math.floor((atUs - first.atUs) / sink.everyUs + 0.25)
    sink.missed(Math.max(0, passed - (look - first.look)))
  }
  return {
    push: (bytes) => {
      const lines = (rest + Buffer.from(bytes).toString('latin1')).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) take(line)
      if (rest.length > longestLine) throw new RangeError('looks: a line is too long')
    },
  }
}
