const minute = 60_000

/** An authority that gave no token for so long is asked no more. */
export const askForDays = 30

/**
 * When the authorities that gave no token are asked again: after ten minutes, then after twice as long each time, at most a day; null
 * when they are given up.
 */
export function nextAsk(now: Date, asked: number, sealedAt: Date = now): Date | null {
  if (now.getTime() - sealedAt.getTime() >= askForDays * 24 * 60 * minute) return null
  return new Date(now.getTime() + Math.min(10 * 2 ** Math.min(asked, 10), 24 * 60) * minute)
}
