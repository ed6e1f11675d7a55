/** Why somebody is not shown pictures as they come: the line to his device, our own machine, or the device. */

export const slowSides = ['line', 'ours', 'device'] as const
export type SlowSide = (typeof slowSides)[number]

/** All in milliseconds. */
export type PictureDelay = {
  /** From the moment at which the oldest unacknowledged picture was handed on, to now. */
  readonly took: number
  /** What this line takes at the least, with nothing else on it. */
  readonly least: number
  /** Of late, the most by which our side was late: pictures handed on later than they can be (encoder, screen, event loop), messages carried late. */
  readonly ours: number
  /** Of late, the most that the device took from a picture's arrival to its being drawn. */
  readonly held: number
}

/**
 * What is left of the delay once what was measured beside it is taken off is the line's; the largest part is to blame. Of equal ones not the
 * visitor's line, nor his device: nobody is told that he is slow where that was not measured.
 */
export function slowSide({ took, least, ours, held }: PictureDelay): SlowSide {
  const [own, device] = [Math.max(0, ours), Math.max(0, held)]
  const line = Math.max(0, took - Math.max(0, least) - own - device)
  if (line > own && line > device) return 'line'
  return device > own ? 'device' : 'ours'
}

const mostKept = 1_000

/** The largest of what was added in the last `spanMs`; 0 of nothing. */
export function recentMost(spanMs: number) {
  /** Each larger than all that came after it. */
  let kept: { readonly at: number; readonly value: number }[] = []
  return {
    add: (value: number, now: number): void => {
      kept = kept.filter((one) => one.at > now - spanMs && one.value > value).slice(-mostKept)
      kept.push({ at: now, value })
    },
    most: (now: number): number => kept.find(({ at }) => at > now - spanMs)?.value ?? 0,
  }
}
