/** Most specific first: nearly every browser also names those it descends from. */
const products: readonly (readonly [string, RegExp])[] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\/(\d{1,4})(?!\d)/],
  ['Opera', /\bOPR\/(\d{1,4})(?!\d)/],
  ['Samsung Internet', /\bSamsungBrowser\/(\d{1,4})(?!\d)/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/(\d{1,4})(?!\d)/],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome)\/(\d{1,4})(?!\d)/],
  ['Safari', /\bVersion\/(\d{1,4})(?!\d)[\d.]* (?:Mobile\/\w+ )?Safari\//],
  ['curl', /^curl\/(\d{1,4})(?!\d)/],
]
const systems: readonly (readonly [string, RegExp])[] = [
  ['Android', /\bAndroid\b/],
  ['iOS', /\b(?:iPhone|iPad|iPod)\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMac(?:intosh| OS X)\b/],
  ['Linux', /\bLinux\b/],
]

/** Product with its main version, and system, from the header `User-Agent`; empty when it names none. Never longer than 60 characters. */
export function describeBrowser(userAgent: string): string {
  const header = userAgent.slice(0, 1000)
  for (const [name, pattern] of products) {
    const version = pattern.exec(header)?.[1]
    if (version === undefined) continue
    const system = systems.find(([, each]) => each.test(header))?.[0]
    return system === undefined ? `${name} ${version}` : `${name} ${version}, ${system}`
  }
  return ''
}
