import type { ReactNode } from 'react'

/** The product's sign: four crossing orbits, the rosette of a seal before any root gives it its shape. */
export function Mark(): ReactNode {
  return (
    <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
      <g fill="none" stroke="currentColor" strokeWidth="1.5">
        {[0, 45, 90, 135].map((angle) => (
          <ellipse key={angle} cx="16" cy="16" rx="14" ry="6.5" transform={`rotate(${angle} 16 16)`} />
        ))}
      </g>
      <circle cx="16" cy="16" r="3.6" fill="var(--seal)" />
    </svg>
  )
}
