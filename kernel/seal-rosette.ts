/**
 * The seal: a guilloche rosette drawn from a Merkle root, the same on screen, in the PDF and in `verify.html`, so that two
 * copies can be compared by eye. Counts of lobes and petals differ between roots at first sight; the outer crown holds the
 * whole root, one ray per hexadecimal digit, so that no two roots share a drawing. It is an aid for the eye and proves nothing.
 */

export type RosetteOptions = {
  /** Width and height in CSS pixels. */
  readonly size: number
  /** Accessible name, already translated. */
  readonly title: string
  /** Ink; the seal's vermilion unless told. */
  readonly color?: string
}

const tau = Math.PI * 2

/** @param rootHex 64 hexadecimal digits. @returns one self-contained `<svg>` element. @throws RangeError on another root. */
export function sealRosette(rootHex: string, { size, title, color = '#B3321F' }: RosetteOptions): string {
  if (!/^[0-9a-f]{64}$/i.test(rootHex)) throw new RangeError('a root is 64 hexadecimal digits')
  const digits = Array.from(rootHex, (digit) => Number.parseInt(digit, 16))
  const byte = (i: number): number => (digits[i * 2] ?? 0) * 16 + (digits[i * 2 + 1] ?? 0)
  /** Byte `i` spread over `from … to`. */
  const spread = (i: number, from: number, to: number): number => from + (byte(i) / 255) * (to - from)
  const pick = (i: number, choices: readonly number[]): number => choices[byte(i) % choices.length] ?? 0

  const bandLobes = pick(0, [8, 9, 10, 11, 12, 13, 14, 16, 18, 20])
  const petals = pick(2, [5, 6, 7, 8, 9, 10, 11, 12])
  const heartLobes = pick(4, [3, 4, 5, 6, 7, 8])
  const turn = (i: number): number => (byte(i) / 256) * tau

  const band = weave({
    strands: 5 + (byte(1) % 4),
    lobes: bandLobes,
    middle: 71,
    swing: spread(6, 6, 10),
    phase: turn(7),
    beat: pick(8, [0, 1, 2, 3]) * bandLobes,
  })
  const flower = weave({
    strands: 4 + (byte(3) % 4),
    lobes: petals,
    middle: spread(9, 39, 43),
    swing: spread(10, 12, 17),
    phase: turn(11),
    beat: pick(12, [0, 2, 3]) * petals,
  })
  const heart = weave({
    strands: 3 + (byte(5) % 3),
    lobes: heartLobes,
    middle: spread(13, 11, 14),
    swing: spread(14, 5, 9),
    phase: turn(15),
    beat: pick(16, [0, 2]) * heartLobes,
  })

  const rays = digits
    .map((digit, i) => {
      const angle = (i / 64) * tau - tau / 4
      return `M${point(angle, 85)}L${point(angle, 86.2 + digit * 0.72)}`
    })
    .join('')
  const line = (d: string, width: number): string => `<path d="${d}" stroke-width="${width}"/>`
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-100 -100 200 200" width="${Math.round(size)}" height="${Math.round(size)}" role="img" ` +
    `aria-label="${escapeMarkup(title)}"><title>${escapeMarkup(title)}</title>` +
    `<g fill="none" stroke="${escapeMarkup(color)}" stroke-linejoin="round" stroke-linecap="round">` +
    line(rays, 1.7) +
    `<circle r="82.6" stroke-width="0.9"/><circle r="98.6" stroke-width="0.7"/>` +
    line(band, 0.55) +
    `<circle r="59" stroke-width="0.7"/>` +
    line(flower, 0.5) +
    `<circle r="23.6" stroke-width="0.7"/>` +
    line(heart, 0.6) +
    `</g></svg>`
  )
}

type Weave = {
  readonly strands: number
  readonly lobes: number
  /** Radius about which the strands swing, and how far. */
  readonly middle: number
  readonly swing: number
  readonly phase: number
  /** Frequency of a second, fainter wave; 0 for none. */
  readonly beat: number
}

/** Closed strands, each the same wave turned by a fraction of a lobe: where they cross, the eye sees the guilloche. */
function weave({ strands, lobes, middle, swing, phase, beat }: Weave): string {
  const steps = lobes * (beat === 0 ? 14 : 24)
  const paths: string[] = []
  for (let strand = 0; strand < strands; strand += 1) {
    const shift = (strand / strands) * tau
    const points: string[] = []
    for (let step = 0; step < steps; step += 1) {
      const angle = (step / steps) * tau
      const second = beat === 0 ? 0 : 0.28 * Math.sin(beat * angle - shift)
      const radius = middle + swing * (Math.sin(lobes * angle + shift) * (beat === 0 ? 1 : 0.78) + second)
      points.push(point(angle + phase, radius))
    }
    paths.push(`M${points.join('L')}Z`)
  }
  return paths.join('')
}

/** One decimal: half a thousandth of the drawing, and the same text on every machine but for the last bit of a sine. */
function point(angle: number, radius: number): string {
  return `${tenths(Math.cos(angle) * radius)} ${tenths(Math.sin(angle) * radius)}`
}

function tenths(value: number): string {
  const rounded = Math.round(value * 10) / 10
  return String(rounded === 0 ? 0 : rounded)
}

function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (found) => `&#${found.charCodeAt(0)};`)
}
