import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locale } from '../../../kernel/locale.ts'
import { ownBrand, perLocale, type PerLocale } from '../../../kernel/page-brand.ts'
import { brandFile, coloursOf, type BrandFile } from '../domain/brand-file.ts'
import { brandPalette, readPalettes, writeTheme, type Palette } from '../domain/palette.ts'
import { hostName } from '../../../platform/http/request/host-name.ts'
import { readLogo, type Logo } from './read-logo.ts'
import { LogoRefused } from './sanitise-svg.ts'

/** A partner's sign, ready to be shown. */
export type Brand = {
  readonly id: string
  readonly name: PerLocale
  /** As {@link hostName} has them; the first is where links of mails lead. */
  readonly hosts: readonly string[]
  readonly door: boolean
  /** Style sheet, and its name, which changes with it. */
  readonly theme: { readonly css: string; readonly file: string }
  /** Grounds of the page, for what surrounds it in a browser. */
  readonly paper: { readonly light: string; readonly dark: string }
  readonly logo: { readonly light: Logo; readonly dark: Logo }
  readonly sender: PerLocale
  readonly support: string | null
  readonly terms: PerLocale | null
}

export type LoadedBrands = {
  readonly brands: readonly Brand[]
  /** File, field and reason of each that is wrong; none of its brand is shown. */
  readonly refused: readonly string[]
}

const longestFile = 64 * 1024
const mostBrands = 200

class BrandRefused extends Error {
  readonly faults: readonly string[]
  constructor(faults: readonly string[]) {
    super(faults.join('\n'))
    this.faults = faults
  }
}

/** Of the folders `<name>/brand.json` of PROBANT_BRANDS. One that is wrong keeps no other from being shown. */
export async function loadBrands(folder: string | undefined): Promise<LoadedBrands> {
  if (folder === undefined) return { brands: [], refused: [] }
  let names: string[]
  try {
    const entries = await readdir(folder)
    names = entries.filter((name) => !name.startsWith('.')).toSorted()
  } catch (error) {
    return {
      brands: [],
      refused: [`the folder of brands ${folder} cannot be read: ${(error as NodeJS.ErrnoException).code ?? ''}`],
    }
  }
  const own = readPalettes(await readFile(new URL('../../../ui/theme/palette.css', import.meta.url), 'utf8'))
  const brands: Brand[] = []
  const refused: string[] = names.length > mostBrands ? [`${folder} holds more than ${String(mostBrands)} brands`] : []
  for (const name of names.slice(0, mostBrands)) {
    if (!(await isFolder(join(folder, name)))) continue
    const file = join(folder, name, 'brand.json')
    try {
      const brand = await readBrand(join(folder, name), name, own)
      refuseTaken(brand, brands)
      brands.push(brand)
    } catch (error) {
      if (!(error instanceof BrandRefused)) throw error
      refused.push(...error.faults.map((fault) => `${file}: ${fault}`))
    }
  }
  return { brands, refused }
}

const isFolder = async (path: string): Promise<boolean> => {
  const found = await stat(path).catch(() => null)
  return found?.isDirectory() === true
}

function refuseTaken(brand: Brand, others: readonly Brand[]): void {
  const faults = brand.hosts.flatMap((host) => {
    const holder = others.find((each) => each.hosts.includes(host))
    return holder === undefined ? [] : [`hosts: ${host} is that of ${holder.id}`]
  })
  const holder = brand.door ? others.find(({ door }) => door) : undefined
  if (holder !== undefined) faults.push(`door: the older entry is that of ${holder.id}`)
  if (faults.length > 0) throw new BrandRefused(faults)
}

async function readFileOf(folder: string, name: string): Promise<BrandFile> {
  if (!/^[a-z0-9-]{1,40}$/.test(name) || name === ownBrand)
    throw new BrandRefused([`its folder is named by at most 40 of a-z, 0-9 and -, and not ${ownBrand}`])
  const path = join(folder, 'brand.json')
  let text: string
  try {
    const { size } = await stat(path)
    if (size > longestFile) throw new BrandRefused([`is longer than ${String(longestFile)} bytes`])
    text = new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path))
  } catch (error) {
    if (error instanceof BrandRefused) throw error
    throw new BrandRefused([
      error instanceof TypeError ? 'is no UTF-8' : `cannot be read: ${(error as NodeJS.ErrnoException).code ?? ''}`,
    ])
  }
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    throw new BrandRefused([`is no JSON: ${error instanceof Error ? error.message : ''}`])
  }
  const parsed = brandFile.safeParse(json)
  if (parsed.success) return parsed.data
  throw new BrandRefused(
    parsed.error.issues.map(({ path: at, message }) => `${at.map(String).join('.') || 'the file'}: ${message}`),
  )
}

async function readBrand(folder: string, id: string, own: { readonly light: Palette; readonly dark: Palette }): Promise<Brand> {
  const file = await readFileOf(folder, id)
  const faults: string[] = []
  const hosts = file.hosts.map((host) => {
    const name = /:\d+$/.test(host) ? null : hostName(host)
    if (name === null) faults.push(`hosts: ${JSON.stringify(host)} is no host name`)
    return name ?? ''
  })
  const [light, dark] = (['light', 'dark'] as const).map((scheme) => {
    const { palette, faults: wrong } = brandPalette(coloursOf(file.colours[scheme]), own[scheme])
    faults.push(...wrong.map(({ colour, words }) => `colours.${scheme}.${colour.replaceAll('-', '_')}: ${words}`))
    return palette
  }) as [Palette, Palette]
  const logos = typeof file.logo === 'string' ? { light: file.logo, dark: file.logo } : file.logo
  const logo = async (scheme: 'light' | 'dark'): Promise<Logo | null> => {
    try {
      return await readLogo(join(folder, logos[scheme]))
    } catch (error) {
      if (!(error instanceof LogoRefused)) throw error
      faults.push(`logo${typeof file.logo === 'string' ? '' : `.${scheme}`}: ${logos[scheme]}: ${error.message}`)
      return null
    }
  }
  const lightLogo = await logo('light')
  const darkLogo = logos.dark === logos.light ? lightLogo : await logo('dark')
  if (faults.length > 0 || lightLogo === null || darkLogo === null) throw new BrandRefused(faults)
  const css = writeTheme(light, dark)
  const name = perLocale(file.name)
  return {
    id,
    name,
    hosts,
    door: file.door,
    theme: { css, file: `theme-${createHash('sha256').update(css).digest('hex').slice(0, 16)}.css` },
    paper: { light: light['paper'] ?? '', dark: dark['paper'] ?? '' },
    logo: { light: lightLogo, dark: darkLogo },
    sender: file.sender === undefined ? name : perLocale(file.sender),
    support: file.support ?? null,
    terms: file.terms === undefined ? null : perLocale(file.terms),
  }
}

/** @returns null for a brand that is no longer there, or the product's own */
export function nameOfBrand(brands: readonly Brand[], id: string, locale: Locale): string | null {
  return brands.find((brand) => brand.id === id)?.name[locale] ?? null
}
