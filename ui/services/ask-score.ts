import { hasAgreed, services } from './choice.ts'

/** Whoever waits works meanwhile rather than wait longer. */
const patienceMs = 8000

/**
 * T-01: a token of whoever scores visitors, where this one agreed to it and the page may speak to it.
 * @returns null for whatever reason there is none
 */
export async function askScore(): Promise<string | null> {
  const score = services?.score ?? null
  if (score === null || services?.reachable !== true || !hasAgreed('score')) return null
  const frame = document.createElement('iframe')
  frame.className = 'visually-hidden'
  frame.tabIndex = -1
  frame.ariaHidden = 'true'
  frame.src = score.frame
  const told = Promise.withResolvers<string | null>()
  const hear = ({ origin, source, data }: MessageEvent<unknown>) => {
    if (origin !== location.origin || source !== frame.contentWindow) return
    const token = typeof data === 'object' && data !== null && 'score' in data ? data.score : null
    told.resolve(typeof token === 'string' && token !== '' ? token : null)
  }
  window.addEventListener('message', hear)
  const timer = setTimeout(() => told.resolve(null), patienceMs)
  document.body.append(frame)
  try {
    return await told.promise
  } finally {
    clearTimeout(timer)
    window.removeEventListener('message', hear)
    frame.remove()
  }
}
