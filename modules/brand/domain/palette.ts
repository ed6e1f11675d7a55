import { contrast, mix, parseColour, toHex } from './colour.ts'

/** What a brand may colour; what is good, doubtful or wrong looks the same everywhere. */
export const brandColours = [
  'accent',
  'accent-hover',
  'on-accent',
  'accent-wash',
  'paper',
  'surface',
  'sunken',
  'ink',
  'ink-soft',
  'line',
  'control',
  'seal',
] as const
export type BrandColour = (typeof brandColours)[number]

/** Every colour of ui/theme/palette.css by its name, `#rrggbb`. */
export type Palette = Readonly<Record<string, string>>

const grounds = ['paper', 'surface', 'sunken']

/** Which colours meet, and the least contrast between them (WCAG 2.2, 1.4.3, 1.4.6 and 1.4.11): of the product, and of every brand. */
export const palettePairs: readonly (readonly [ink: string, ground: string, least: number])[] = [
  // Body text: AAA.
  ...grounds.flatMap((ground): [string, string, number][] => [
    ['ink', ground, 7],
    ['ink-soft', ground, 7],
  ]),
  ...['accent-wash', 'good-wash', 'caution-wash', 'bad-wash'].map((ground): [string, string, number] => ['ink', ground, 7]),
  // Links, labels, states: AA.
  ...grounds.flatMap((ground): [string, string, number][] => [
    ['accent', ground, 4.5],
    ['accent-hover', ground, 4.5],
    ['seal', ground, 4.5],
    ['good', ground, 4.5],
    ['caution', ground, 4.5],
    ['bad', ground, 4.5],
  ]),
  ['on-accent', 'accent', 4.5],
  ['on-accent', 'accent-hover', 4.5],
  ['on-accent', 'bad', 4.5],
  ['accent', 'accent-wash', 4.5],
  ['ink-soft', 'accent-wash', 4.5],
  ['good', 'good-wash', 4.5],
  ['caution', 'caution-wash', 4.5],
  ['bad', 'bad-wash', 4.5],
  // Outlines of controls.
  ...grounds.map((ground): [string, string, number] => ['control', ground, 3]),
]

/** Colours of the two blocks of palette.css. */
export function readPalettes(css: string): { readonly light: Palette; readonly dark: Palette } {
  const [light = '', dark = ''] = css.split('@media screen and (prefers-color-scheme: dark)')
  const coloursOf = (block: string) =>
    Object.fromEntries([...block.matchAll(/--([a-z-]+): (#[0-9a-f]{6});/g)].map((found) => [found[1] ?? '', found[2] ?? '']))
  return { light: coloursOf(light), dark: coloursOf(dark) }
}

export type ColourFault = { readonly colour: string; readonly words: string }

/**
 * The whole palette of a brand in one scheme: what it gives, what follows from its accent, and the product's for the rest.
 * @param given by name; `accent` at least
 * @returns with every fault: a colour that is none, or two that may meet and are too alike
 */
export function brandPalette(
  given: Partial<Readonly<Record<BrandColour, string>>>,
  own: Palette,
): { readonly palette: Palette; readonly faults: readonly ColourFault[] } {
  const faults: ColourFault[] = []
  const read: Record<string, string> = {}
  for (const [colour, text] of Object.entries(given)) {
    const parsed = parseColour(text)
    if (parsed === 'no_colour')
      faults.push({ colour, words: `${JSON.stringify(text.slice(0, 60))} is neither #rrggbb nor oklch(L C H)` })
    else if (parsed === 'outside_srgb') faults.push({ colour, words: `${text} lies outside sRGB: give it less chroma` })
    else read[colour] = toHex(parsed)
  }
  if (faults.length > 0) return { palette: own, faults }
  const known = { ...own, ...read }
  const palette = { ...known, ...derived(known), ...read }
  const origin = (name: string) => (name in read ? '' : own[name] === palette[name] ? ' (the product’s)' : ' (derived)')
  const alike = palettePairs.filter(([ink, ground, least]) => contrast(palette[ink] ?? '', palette[ground] ?? '') < least)
  // What follows from a colour that is wrong itself is mended with it.
  const direct = alike.filter(([ink, ground]) => ![ink, ground].some((name) => origin(name) === ' (derived)'))
  for (const [ink, ground, least] of direct.length > 0 ? direct : alike) {
    const [a, b] = [ink, ground].map((name) => `${name} ${palette[name] ?? ''}${origin(name)}`)
    const ratio = contrast(palette[ink] ?? '', palette[ground] ?? '').toFixed(2)
    // Told at a colour that the file has, where one of the two is.
    const colour = ink in read ? ink : ground in read ? ground : 'accent'
    faults.push({ colour, words: `${a ?? ''} on ${b ?? ''} has a contrast of ${ratio}, at least ${String(least)} is needed` })
  }
  return { palette, faults }
}

/** What follows from an accent: the text on it, its shade under the pointer, and its faintest tint that still carries it. */
function derived(known: Palette): Palette {
  const { accent = '', surface = '', ink = '' } = known
  const light = '#ffffff'
  const dark = '#0b1015'
  const onAccent = contrast(light, accent) >= contrast(dark, accent) ? light : dark
  const washes = [0.14, 0.1, 0.07, 0.04].map((share) => mix(accent, surface, share))
  const wash = washes.find(
    (each) => contrast(accent, each) >= 4.5 && contrast(ink, each) >= 7 && contrast(known['ink-soft'] ?? ink, each) >= 4.5,
  )
  return {
    'on-accent': onAccent,
    'accent-hover': mix(accent, ink, 0.8),
    'accent-wash': wash ?? washes.at(-1) ?? surface,
  }
}

/** A style sheet that follows palette.css: every colour in both schemes, since what stands later wins over its dark block too. */
export function writeTheme(light: Palette, dark: Palette): string {
  const lines = (palette: Palette) =>
    Object.entries(palette)
      .map(([name, hex]) => `--${name}:${hex}`)
      .join(';')
  return `:root{${lines(light)}}\n@media screen and (prefers-color-scheme:dark){:root{${lines(dark)}}}\n`
}
