import { createTheme, type MantineColorsTuple, type VariantColorsResolver } from '@mantine/core'

/** Shades only feed Mantine's types; what is painted comes from palette.css through base.css, so that both schemes are measured. */
const accent: MantineColorsTuple = [
  '#e4efee',
  '#cfe3e2',
  '#a9cccb',
  '#7fb3b2',
  '#559a9a',
  '#2f8284',
  '#0f5e63',
  '#0b4b4f',
  '#083a3d',
  '#05292b',
]

/** Buttons: `filled` acts, `default` is the other choice, `outline` with colour `bad` destroys. */
const variantColorResolver: VariantColorsResolver = ({ variant, color }) => {
  const tint = color === 'bad' ? 'var(--bad)' : 'var(--accent)'
  if (variant === 'filled') {
    const hover = color === 'bad' ? 'var(--bad)' : 'var(--accent-hover)'
    return { background: tint, hover, color: 'var(--on-accent)', border: '1.5px solid transparent' }
  }
  if (variant === 'default') {
    return { background: 'var(--surface)', hover: 'var(--sunken)', color: 'var(--ink)', border: '1.5px solid var(--control)' }
  }
  return { background: 'transparent', hover: 'var(--sunken)', color: tint, border: `1.5px solid ${tint}` }
}

/** Layout breakpoints (K-28): 600, 960, 1264 and 1904 px. */
export const theme = createTheme({
  primaryColor: 'accent',
  primaryShade: 6,
  colors: { accent },
  defaultRadius: 'sm',
  radius: { sm: '6px' },
  fontFamily: 'var(--sans)',
  fontFamilyMonospace: 'var(--mono)',
  headings: { fontFamily: 'var(--serif)' },
  breakpoints: { xs: '37.5em', sm: '60em', md: '79em', lg: '119em', xl: '160em' },
  respectReducedMotion: true,
  cursorType: 'pointer',
  variantColorResolver,
})
