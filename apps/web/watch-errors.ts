/** Of one page load: an error that comes again and again is told once, and few of them. */
const most = 5

/**
 * T-05: hears of what breaks in the page. What the server refused, what a visitor gave up and what a lost network did is no defect of it.
 * @param isDefect whether whoever wrote the page should hear of an error
 * @param tell sends it; what it fails with is nobody's
 */
export function watchErrors(
  page: Pick<EventTarget, 'addEventListener'>,
  isDefect: (error: Error) => boolean,
  tell: (error: Error) => Promise<void>,
): (error: unknown) => void {
  const told = new Set<string>()
  const hear = (thrown: unknown): void => {
    if (!(thrown instanceof Error) || !isDefect(thrown)) return
    const kind = `${thrown.name} ${thrown.message} ${(thrown.stack ?? '').split('\n', 3).join(' ')}`
    if (told.size >= most || told.has(kind)) return
    told.add(kind)
    tell(thrown).catch(() => undefined)
  }
  page.addEventListener('error', (event) => hear((event as ErrorEvent).error))
  page.addEventListener('unhandledrejection', (event) => hear((event as PromiseRejectionEvent).reason))
  return hear
}
