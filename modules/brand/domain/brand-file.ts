import { z } from 'zod'
import { brandColours, type BrandColour } from './palette.ts'

/** One line that stands in titles, mails and their senders: nothing that breaks a header or turns what follows around. */
const line = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .refine((text) => !/[\p{C}\p{Zl}\p{Zp}<>"]/u.test(text), { error: 'holds characters that a name cannot have' })

const perLanguage = <T extends z.ZodType>(words: T) => z.union([words, z.strictObject({ en: words, fr: words })])

const link = z
  .string()
  .max(500)
  .refine((text) => URL.canParse(text) && ['https:', 'http:'].includes(new URL(text).protocol) && new URL(text).username === '', {
    error: 'is no address starting with https:// or http://',
  })

const logoFile = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,80}\.(?:svg|png)$/, { error: 'is no name of an .svg or .png beside this file' })

const wireName = (colour: BrandColour) => colour.replaceAll('-', '_')
const colours = z.strictObject({
  ...Object.fromEntries(brandColours.map((colour) => [wireName(colour), z.string().max(100).optional()])),
  accent: z.string().max(100),
})

/** `brand.json`: what an operator says of a partner (docs/BRANDS.md). */
export const brandFile = z.strictObject({
  name: perLanguage(line(60)),
  hosts: z.array(z.string().max(253)).max(20).default([]),
  /** Whether the older entry, `/login/` and `/old-authentication/`, is his. */
  door: z.boolean().default(false),
  colours: z.strictObject({ light: colours, dark: colours }),
  logo: z.union([logoFile, z.strictObject({ light: logoFile, dark: logoFile })]),
  /** Name of the sender of mails; the address stays the installation's. */
  sender: perLanguage(line(60)).optional(),
  // As it stands in a `mailto:` too: nothing there that would be a header (RFC 6068 §2).
  support: z
    .string()
    .regex(/^[A-Za-z0-9._+-]{1,64}@[A-Za-z0-9.-]{1,189}$/, { error: 'is no address of mail' })
    .optional(),
  terms: perLanguage(link).optional(),
})
export type BrandFile = z.infer<typeof brandFile>

/** Of one scheme, by the names of the palette. */
export function coloursOf(given: BrandFile['colours']['light']): Partial<Record<BrandColour, string>> {
  const entries = Object.entries(given) as [string, string | undefined][]
  return Object.fromEntries(entries.flatMap(([name, text]) => (text === undefined ? [] : [[name.replaceAll('_', '-'), text]])))
}
