/** How long it takes, as its visitor is told (K-25, K-02). */
export const preparingMinutes = 1
/** A printing that takes longer is broken off, and begun anew. */
export const finalizingMinutes = 10

/** Whether it takes longer than was told. @param since of the phase */
export function isLate(since: string, now: number, minutes: number): boolean {
  return now - Date.parse(since) > minutes * 60_000
}
