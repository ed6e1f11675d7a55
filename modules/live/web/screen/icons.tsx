import type { ReactNode } from 'react'

const paths = {
  back: <path d="M12.5 4.5 7 10l5.5 5.5" />,
  forward: <path d="M7.5 4.5 13 10l-5.5 5.5" />,
  reload: <path d="M15.5 7.5A6 6 0 1 0 16 11M16 4v4h-4" />,
  stop: <path d="m5.5 5.5 9 9m0-9-9 9" />,
  close: <path d="m6 6 8 8m0-8-8 8" />,
  add: <path d="M10 4.5v11M4.5 10h11" />,
  /** What is seen. */
  viewport: (
    <>
      <path d="M3 6.5V4.8C3 3.8 3.8 3 4.8 3h1.7M13.5 3h1.7c1 0 1.8.8 1.8 1.8v1.7M17 13.5v1.7c0 1-.8 1.8-1.8 1.8h-1.7M6.5 17H4.8C3.8 17 3 16.2 3 15.2v-1.7" />
      <circle cx="10" cy="10" r="3.2" />
    </>
  ),
  /** From the top of the page to its end. */
  page: (
    <>
      <path d="M5 2.5h10v15H5z" />
      <path d="M10 5.5v9m-2.5-2.5 2.5 2.5 2.5-2.5M7.5 8 10 5.5 12.5 8" />
    </>
  ),
  paste: (
    <>
      <path d="M7 4H5.2C4.5 4 4 4.5 4 5.2v11c0 .7.5 1.3 1.2 1.3h9.6c.7 0 1.2-.6 1.2-1.3v-11C16 4.5 15.5 4 14.8 4H13" />
      <path d="M7.5 2.5h5v3h-5zM7 9.5h6M7 13h4" />
    </>
  ),
  secret: (
    <>
      <path d="M4.5 9h11v8h-11zM6.5 9V6.5a3.5 3.5 0 0 1 7 0V9" />
      <path d="M7.5 13h.01M10 13h.01M12.5 13h.01" strokeWidth="2" />
    </>
  ),
  keyboard: (
    <>
      <path d="M2.5 5h15v10h-15z" />
      <path d="M5.5 8h.01M8.5 8h.01M11.5 8h.01M14.5 8h.01M5.5 10.3h.01M14.5 10.3h.01M7.5 12.5h5" />
    </>
  ),
  sound: <path d="M3.5 7.8v4.4h2.8L10 15.5v-11L6.3 7.8zM13 7.2a4 4 0 0 1 0 5.6M15.2 5a7 7 0 0 1 0 10" />,
  silent: <path d="M3.5 7.8v4.4h2.8L10 15.5v-11L6.3 7.8zM13 8l4 4m0-4-4 4" />,
  more: <path d="M4.5 10h.01M10 10h.01M15.5 10h.01" strokeWidth="2.6" />,
  secure: <path d="M5 9h10v7.5H5zM7 9V6.5a3 3 0 0 1 6 0V9" />,
  plain: <path d="M5 9h10v7.5H5zM7 9V6a3 3 0 0 1 5.8-1" />,
  weak: <path d="M5 9h10v7.5H5zM7 9V6.5a3 3 0 0 1 6 0V9M10 11v2.2M10 15h.01" />,
  certificate_error: <path d="M10 3 2.5 16.5h15zM10 8v4M10 14.3h.01" />,
  none: <path d="M10 3.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 1 0 0-13M3.5 10h13" />,
  device: <path d="M6 2.5h8v15H6zM9 15h2" />,
  witness: (
    <>
      <path d="M2.5 10S5.3 5 10 5s7.5 5 7.5 5-2.8 5-7.5 5-7.5-5-7.5-5z" />
      <circle cx="10" cy="10" r="2.3" />
    </>
  ),
  quit: <path d="M5.5 5.5h9v9h-9z" />,
} as const

export type IconName = keyof typeof paths

export function Icon(props: { name: IconName }): ReactNode {
  return (
    <svg
      width="20"
      height="20"
      viewBox="0 0 20 20"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      {paths[props.name]}
    </svg>
  )
}
