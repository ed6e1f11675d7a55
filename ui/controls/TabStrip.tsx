import { useEffect, useRef, useState, type ReactNode } from 'react'
import styles from './tab-strip.module.css'

const chosen = '[aria-current="page"], [aria-selected="true"], [aria-pressed="true"]'
/** Room beside the chosen one for what says that there is more; as wide as in the style sheet. */
const beside = 52

type More = { readonly before: boolean; readonly after: boolean }

/**
 * Tabs on one line, however many there are and however long their words: the line goes sideways under a finger, a wheel, the keys that go
 * through the tabs, or the arrow at the end behind which there are more. The chosen one is in sight whenever another is chosen.
 * @param props.children one element, which holds the tabs
 */
export function TabStrip(props: { children: ReactNode }): ReactNode {
  const line = useRef<HTMLDivElement>(null)
  const [more, setMore] = useState<More>({ before: false, after: false })
  useEffect(() => {
    const element = line.current
    if (element === null) return undefined
    const measure = () => {
      const before = element.scrollLeft > 1
      const after = element.scrollWidth - element.clientWidth - element.scrollLeft > 1
      setMore((known) => (known.before === before && known.after === after ? known : { before, after }))
    }
    const show = (tab: Element | null) => {
      if (tab !== null) {
        const [one, room] = [tab.getBoundingClientRect(), element.getBoundingClientRect()]
        const [left, right] = [one.left - room.left - beside, one.right - room.right + beside]
        if (left < 0 || right > 0) element.scrollBy({ left: left < 0 ? left : right, behavior: 'instant' })
      }
      measure()
    }
    const bringInSight = () => show(element.querySelector(chosen))
    // A browser is content with half of what a key came to; under a pointer nothing moves away.
    const follow = ({ target }: FocusEvent) => {
      if (target instanceof Element && target.matches(':focus-visible')) show(target)
    }
    const sizes = new ResizeObserver(bringInSight)
    for (const each of [element, ...element.children]) sizes.observe(each)
    const choices = new MutationObserver(bringInSight)
    choices.observe(element, {
      subtree: true,
      childList: true,
      attributeFilter: ['aria-current', 'aria-selected', 'aria-pressed'],
    })
    element.addEventListener('scroll', measure, { passive: true })
    element.addEventListener('focusin', follow)
    return () => {
      sizes.disconnect()
      choices.disconnect()
      element.removeEventListener('scroll', measure)
      element.removeEventListener('focusin', follow)
    }
  }, [])
  return (
    <div className={styles['strip']}>
      <div ref={line} className={styles['line']}>
        {props.children}
      </div>
      {more.before ? <Arrow to="before" line={line} /> : null}
      {more.after ? <Arrow to="after" line={line} /> : null}
    </div>
  )
}

/** For eyes and pointers: keys and screen readers have the tabs themselves. */
function Arrow(props: { to: keyof More; line: React.RefObject<HTMLDivElement | null> }): ReactNode {
  const { to, line } = props
  return (
    <button
      type="button"
      className={styles['arrow']}
      data-to={to}
      aria-hidden="true"
      tabIndex={-1}
      // What has the focus keeps it.
      onPointerDown={(event) => event.preventDefault()}
      onClick={() => {
        const width = (line.current?.clientWidth ?? 0) - 2 * beside
        line.current?.scrollBy({ left: to === 'before' ? -width : width })
      }}
    >
      {to === 'before' ? '‹' : '›'}
    </button>
  )
}

/** Pages beside each other, each a link of its own; the one that is shown is `aria-current`. */
export function TabLinks(props: { label: string; children: ReactNode }): ReactNode {
  return (
    <TabStrip>
      <nav className={styles['links']} aria-label={props.label}>
        {props.children}
      </nav>
    </TabStrip>
  )
}
