/** Red, green and blue of sRGB, each from 0 to 1. */
export type Rgb = readonly [number, number, number]
/** Lightness from 0 to 1, chroma, hue in degrees. */
type Oklch = readonly [number, number, number]

const hexForm = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i
const oklchForm =
  /^oklch\(\s*(\d{1,3}(?:\.\d{1,6})?|0?\.\d{1,6})(%?)\s+(\d?\.?\d{1,6})\s+(-?\d{1,3}(?:\.\d{1,6})?)(?:deg)?\s*\)$/i

const toLinear = (channel: number) => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4)
const fromLinear = (light: number) => (light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055)

/** OKLab of B. Ottosson (2020), as CSS Color 4 §8.2 has it. */
function oklabOf(rgb: Rgb): [number, number, number] {
  const [r, g, b] = rgb.map(toLinear) as [number, number, number]
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ]
}

function fromOklab([L, a, b]: readonly [number, number, number]): [number, number, number] {
  const l = (L + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (L - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (L - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    fromLinear(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    fromLinear(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    fromLinear(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ]
}

/** Within half a step of eight bits: what rounds into sRGB is in it. */
const isInGamut = (rgb: Rgb) => rgb.every((channel) => channel > -0.002 && channel < 1.002)
const clamped = (rgb: Rgb) => rgb.map((channel) => Math.min(1, Math.max(0, channel))) as unknown as Rgb

function fromOklch([L, chroma, hue]: Oklch): Rgb {
  const angle = (hue * Math.PI) / 180
  return fromOklab([L, chroma * Math.cos(angle), chroma * Math.sin(angle)])
}

/**
 * `#rgb`, `#rrggbb`, or `oklch(L C H)` with L from 0 to 1 or in per cent; nothing else of CSS, so that what is checked is what is shown.
 * @returns the code of what is wrong: `no_colour`, or `outside_srgb` for one that screens would show as another
 */
export function parseColour(text: string): Rgb | 'no_colour' | 'outside_srgb' {
  if (hexForm.test(text)) {
    const digits = text.length === 4 ? text.slice(1).replaceAll(/./g, '$&$&') : text.slice(1)
    return [0, 2, 4].map((at) => Number.parseInt(digits.slice(at, at + 2), 16) / 255) as unknown as Rgb
  }
  const found = oklchForm.exec(text)
  if (found === null) return 'no_colour'
  const L = Number(found[1]) / (found[2] === '%' ? 100 : 1)
  const chroma = Number(found[3])
  if (L > 1 || chroma > 0.5) return 'no_colour'
  const rgb = fromOklch([L, chroma, Number(found[4])])
  return isInGamut(rgb) ? clamped(rgb) : 'outside_srgb'
}

/** `#rrggbb`: contrast is measured on these, as screens show them. */
export function toHex(rgb: Rgb): string {
  return `#${rgb
    .map((channel) =>
      Math.round(channel * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`
}

function rgbOf(hex: string): Rgb {
  const rgb = parseColour(hex)
  if (typeof rgb === 'string') throw new RangeError(`${hex} is no colour`)
  return rgb
}

/** Relative luminance of WCAG 2.2. */
function luminance(hex: string): number {
  const [r, g, b] = rgbOf(hex).map(toLinear) as [number, number, number]
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** Contrast ratio of WCAG 2.2, from 1 to 21, of two `#rrggbb`. */
export function contrast(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].toSorted((x, y) => y - x)
  return (light + 0.05) / (dark + 0.05)
}

/** Between two colours in OKLab. @param share of the first, from 0 to 1 */
export function mix(a: string, b: string, share: number): string {
  const [one, other] = [oklabOf(rgbOf(a)), oklabOf(rgbOf(b))]
  const mixed = one.map((value, i) => value * share + (other[i] ?? 0) * (1 - share)) as [number, number, number]
  return toHex(clamped(fromOklab(mixed)))
}
