/** docs/CONFIGURATION.md, which `npm run documents` writes. */
import { fileURLToPath } from 'node:url'
import { subjects } from './settings/settings.ts'

export const configurationDocument = fileURLToPath(new URL('../../docs/CONFIGURATION.md', import.meta.url))

export function describeSettings(): string {
  const cell = (text: string) => text.replaceAll('|', '\\|')
  const sections = Object.entries(subjects).map(([title, settings]) => {
    const rows = Object.values(settings).map(
      (each) =>
        `| \`${each.name}\` | ${cell(each.meaning)}${each.secret ? ' Secret.' : ''} | ${cell(each.accepts)} | ${cell(each.fallbackText)} |`,
    )
    return `## ${title}\n\n| Variable | Meaning | Accepts | When absent |\n|---|---|---|---|\n${rows.join('\n')}\n`
  })
  return `# Configuration

Everything is set by environment variables; nothing needs to be. A wrong value, or a variable that starts with \`PROBANT_\` and
is not in this table, is refused by name before anything starts, and the process exits with 78. An empty variable counts as
absent. This page is generated from \`platform/config/settings/\` by \`npm run documents\`.

${sections.join('\n')}`
}
