import { useEffect } from 'react'

/** A text that arrives after the page: once it is there, the heading named in the address comes into view and takes the focus. */
export function useScrollToHash(ready: boolean): void {
  useEffect(() => {
    if (!ready) return undefined
    const show = () => {
      const target = location.hash === '' ? null : document.getElementById(decodeURIComponent(location.hash.slice(1)))
      if (target === null) return
      target.tabIndex = -1
      target.focus({ preventScroll: true })
      target.scrollIntoView()
    }
    show()
    window.addEventListener('hashchange', show)
    return () => window.removeEventListener('hashchange', show)
  }, [ready])
}
