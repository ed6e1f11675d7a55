/**
 * A strict reader of what Prometheus scrapes (text format 0.0.4), which refuses what `promtool check metrics` refuses of form and of names
 * besides what is no such text.
 */
export type Sample = { readonly name: string; readonly labels: Readonly<Record<string, string>>; readonly value: number }
export type Family = {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary'
  readonly samples: readonly Sample[]
}

const label = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/y

function readLabels(text: string, line: string): Record<string, string> {
  const labels: Record<string, string> = {}
  label.lastIndex = 0
  while (label.lastIndex < text.length) {
    const found = label.exec(text)
    if (found === null) throw new Error(`labels that are none: ${line}`)
    const [, name = '', value = ''] = found
    if (name in labels || name.startsWith('__')) throw new Error(`a label twice, or a reserved one: ${line}`)
    labels[name] = value.replaceAll(/\\(.)/g, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped))
  }
  return labels
}

function readValue(text: string, line: string): number {
  if (text === '+Inf') return Number.POSITIVE_INFINITY
  if (text === '-Inf') return Number.NEGATIVE_INFINITY
  // Prometheus reads it however it is spelled (Go, strconv.ParseFloat), and prom-client writes Nan where nothing was sampled.
  if (/^nan$/i.test(text)) return Number.NaN
  if (!/^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text)) throw new Error(`a value that is none: ${line}`)
  return Number(text)
}

/** @throws Error with the line, or the family, that is wrong */
export function parseExposition(text: string): Family[] {
  if (!text.endsWith('\n')) throw new Error('the last line does not end')
  const families: (Family & { samples: Sample[] })[] = []
  let help: { name: string; text: string } | undefined
  for (const line of text.split('\n')) {
    if (line === '') continue
    const told = /^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)$/.exec(line)
    if (told?.[1] === 'HELP') {
      if (families.some(({ name }) => name === told[2])) throw new Error(`a family twice: ${line}`)
      help = { name: told[2] ?? '', text: told[3] ?? '' }
      continue
    }
    if (told?.[1] === 'TYPE') {
      if (help?.name !== told[2]) throw new Error(`a family without help: ${line}`)
      if (!/^(?:counter|gauge|histogram|summary)$/.test(told[3] ?? '')) throw new Error(`no type: ${line}`)
      families.push({ name: help?.name ?? '', help: help?.text ?? '', type: told[3] as Family['type'], samples: [] })
      continue
    }
    const found = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/.exec(line)
    const family = families.at(-1)
    if (found === null || family === undefined) throw new Error(`a line that is none: ${line}`)
    const [, name = '', labels = '', value = ''] = found
    const suffix = name.slice(family.name.length)
    const suffixes = { counter: [''], gauge: [''], histogram: ['_bucket', '_sum', '_count'], summary: ['', '_sum', '_count'] }
    if (!name.startsWith(family.name) || !suffixes[family.type].includes(suffix)) throw new Error(`of no family: ${line}`)
    family.samples.push({ name, labels: readLabels(labels, line), value: readValue(value, line) })
  }
  for (const family of families) judge(family)
  return families
}

const keyOf = (labels: Readonly<Record<string, string>>) =>
  JSON.stringify(Object.entries(labels).toSorted(([one], [other]) => (one < other ? -1 : 1)))

/** As https://prometheus.io/docs/practices/naming/ has it. */
function judge({ name, help, type, samples }: Family): void {
  const wrong = (what: string): never => {
    throw new Error(`${name}: ${what}`)
  }
  if (help.trim() === '') wrong('no help')
  if ((type === 'counter') !== name.endsWith('_total')) wrong('counters, and they alone, end with _total')
  if (/_(?:ms|milliseconds|minutes|hours|days|kilobytes|megabytes|kb|mb)(?:_|$)|[A-Z]|__/.test(name))
    wrong('no base unit, or no snake case')
  if (/_(?:bucket|count|sum)$/.test(name)) wrong('a name that samples of histograms have')
  const seen = new Set<string>()
  for (const sample of samples) {
    const key = `${sample.name} ${keyOf(sample.labels)}`
    if (seen.has(key)) wrong(`a series twice: ${key}`)
    seen.add(key)
    if (type === 'counter' && !(sample.value >= 0)) wrong('a counter that is less than nothing')
  }
  if (type === 'histogram') judgeBuckets(name, samples, wrong)
}

function judgeBuckets(name: string, samples: readonly Sample[], wrong: (what: string) => never): void {
  const bySeries = Map.groupBy(samples, ({ labels }) => keyOf({ ...labels, le: '' }))
  for (const [key, series] of bySeries) {
    const buckets = series.filter((sample) => sample.name === `${name}_bucket`)
    const bounds = buckets.map(({ labels }) => (labels['le'] === '+Inf' ? Number.POSITIVE_INFINITY : Number(labels['le'])))
    const count = series.find((sample) => sample.name === `${name}_count`)?.value
    if (bounds.at(-1) !== Number.POSITIVE_INFINITY || buckets.at(-1)?.value !== count) wrong(`not all are counted: ${key}`)
    if (!series.some((sample) => sample.name === `${name}_sum`)) wrong(`no sum: ${key}`)
    for (const [at, bucket] of buckets.entries())
      if (at > 0 && ((buckets[at - 1]?.value ?? 0) > bucket.value || (bounds[at - 1] ?? 0) >= (bounds[at] ?? 0)))
        wrong(`buckets out of order: ${key}`)
  }
}
