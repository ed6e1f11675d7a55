/** Writes the list of docs/decisions/README.md: `node tools/list-decisions.ts`. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = new URL('../docs/decisions/', import.meta.url)
export const decisionsDocument = fileURLToPath(new URL('README.md', folder))

/** @throws Error for a record whose title does not begin with the number of its file, or whose number another one has */
export function listDecisions(): string {
  const records = readdirSync(folder)
    .filter((name) => /^\d{4}-.+\.md$/.test(name))
    .toSorted()
    .map((name) => {
      const [first = ''] = readFileSync(new URL(name, folder), 'utf8').split('\n', 1)
      const [, number, title] = /^# (\d{4}) (\S.*)$/.exec(first) ?? []
      if (number === undefined || title === undefined || !name.startsWith(`${number}-`))
        throw new Error(`docs/decisions/${name}: its first line is not “# ${name.slice(0, 4)} Title”`)
      return { name, number, title }
    })
  const twice = records.find(({ number }, i) => records[i + 1]?.number === number)
  if (twice !== undefined) throw new Error(`two decisions have the number ${twice.number}`)
  return `# Decision records

One page each: what was decided, why, what was given up. A record is never rewritten; a later one supersedes it by name.
This list is written by \`node tools/list-decisions.ts\`.

| Number | Decision |
|---|---|
${records.map(({ name, number, title }) => `| [${number}](${name}) | ${title.replaceAll('|', String.raw`\|`)} |`).join('\n')}
`
}

if (import.meta.main) writeFileSync(decisionsDocument, listDecisions())
