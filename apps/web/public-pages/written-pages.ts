/**
 * Pages that are sent as HTML, readable before any script has come, and alive once it has (decision 0395): their paths after the language
 * prefix, and the file whose style sheets and scripts they need beside the application's own.
 */
export const writtenPages = [{ path: '/', source: 'pages/Home.tsx' }] as const
export type WrittenPath = (typeof writtenPages)[number]['path']
