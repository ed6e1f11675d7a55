import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const faces = [
  [
    'Source Serif 4',
    '400',
    import.meta.resolve('@fontsource/source-serif-4/files/source-serif-4-latin-400-normal.woff2'),
    'latin',
  ],
  [
    'Source Serif 4',
    '400',
    import.meta.resolve('@fontsource/source-serif-4/files/source-serif-4-latin-ext-400-normal.woff2'),
    'latin-ext',
  ],
  [
    'Source Serif 4',
    '600',
    import.meta.resolve('@fontsource/source-serif-4/files/source-serif-4-latin-600-normal.woff2'),
    'latin',
  ],
  [
    'Source Serif 4',
    '600',
    import.meta.resolve('@fontsource/source-serif-4/files/source-serif-4-latin-ext-600-normal.woff2'),
    'latin-ext',
  ],
  [
    'Source Sans 3',
    '200 900',
    import.meta.resolve('@fontsource-variable/source-sans-3/files/source-sans-3-latin-wght-normal.woff2'),
    'latin',
  ],
  [
    'Source Sans 3',
    '200 900',
    import.meta.resolve('@fontsource-variable/source-sans-3/files/source-sans-3-latin-ext-wght-normal.woff2'),
    'latin-ext',
  ],
  [
    'Source Sans 3',
    '200 900',
    import.meta.resolve('@fontsource-variable/source-sans-3/files/source-sans-3-greek-wght-normal.woff2'),
    'greek',
  ],
  [
    'Source Sans 3',
    '200 900',
    import.meta.resolve('@fontsource-variable/source-sans-3/files/source-sans-3-cyrillic-wght-normal.woff2'),
    'cyrillic',
  ],
  ['IBM Plex Mono', '400', import.meta.resolve('@fontsource/ibm-plex-mono/files/ibm-plex-mono-latin-400-normal.woff2'), 'latin'],
  ['IBM Plex Mono', '500', import.meta.resolve('@fontsource/ibm-plex-mono/files/ibm-plex-mono-latin-500-normal.woff2'), 'latin'],
] as const

/** As the font packages declare them. */
const ranges = {
  latin:
    'U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD',
  'latin-ext':
    'U+0100-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+1D00-1DBF,U+1E00-1E9F,U+1EF2-1EFF,U+20A0-20AB,U+20AD-20C0,U+2113,U+2C60-2C7F,U+A720-A7FF',
  greek: 'U+0370-0377,U+037A-037F,U+0384-038A,U+038C,U+038E-03A1,U+03A3-03FF',
  cyrillic: 'U+0301,U+0400-045F,U+0490-0491,U+04B0-04B1,U+2116',
} as const

/** `@font-face` rules with the fonts inside: the printer has no way out, and needs none. */
export async function fontFaces(): Promise<string> {
  const rules = await Promise.all(
    faces.map(async ([family, weight, file, range]) => {
      const data = (await readFile(fileURLToPath(file))).toString('base64')
      return `@font-face{font-family:'${family}';font-weight:${weight};src:url(data:font/woff2;base64,${data}) format('woff2');unicode-range:${ranges[range]}}`
    }),
  )
  return rules.join('\n')
}
