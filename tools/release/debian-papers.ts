/** What Debian's policy wants to lie beside a package: whose what is, and what changed; and where we do otherwise than it says. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** `Name <address>`, as RFC 5322 and Debian's policy (5.6.2) have it. */
const personPattern = /^[^<>\n]+ <[^\s<>@]+@[^\s<>@]+>$/

/** @throws Error for what is no name with an address */
export function readMaintainer(given: string | undefined, committer: string): string {
  const maintainer = given ?? committer
  if (!personPattern.test(maintainer))
    throw new Error(
      `PROBANT_RELEASE_MAINTAINER is a name and an e-mail address, “Name <name@example.org>”, and not ${maintainer}`,
    )
  return maintainer
}

/** RFC 5322, as a changelog of Debian has it, in UTC. */
const dateOf = (sourceDate: number) => new Date(sourceDate * 1000).toUTCString().replace('GMT', '+0000')

export function writeChangelog(of: { version: string; maintainer: string; commit: string; sourceDate: number }): string {
  return `probant (${of.version}) stable; urgency=medium

  * Made from commit ${of.commit}.

 -- ${of.maintainer}  ${dateOf(of.sourceDate)}
`
}

/** Each package that came by npm, with the licence that it states and the files that have its text. */
export function writeCopyright(release: string, maintainer: string): string {
  const packages = globSync('node_modules/**/package.json', { cwd: release })
    .map((path) => path.slice(0, -'/package.json'.length))
    .toSorted()
    .flatMap((folder) => {
      // What stands below a package's own folders is its own.
      if (!/node_modules\/(?:@[^/]+\/)?[^/]+$/.test(folder)) return []
      const { name, version, license } = JSON.parse(readFileSync(join(release, folder, 'package.json'), 'utf8')) as Record<
        string,
        unknown
      >
      if (typeof name !== 'string' || typeof version !== 'string') return []
      const texts = globSync('{LICEN[SC]E,licen[sc]e,COPYING,NOTICE}*', { cwd: join(release, folder) }).toSorted()
      const where = texts.map((text) => `  /usr/lib/probant/${folder}/${text}\n`).join('')
      return [`${name} ${version}: ${typeof license === 'string' ? license : 'as its files say'}\n${where}`]
    })
  return `Probant, packaged by ${maintainer}.

Probant itself is not licensed to the public; all rights are reserved.

Node.js, /usr/lib/probant/bin/node: the licences of Node.js and of what is in it are in
  /usr/lib/probant/bin/LICENSE.node

Packages of npm, each with the licence that it states and where its text lies:

${packages.join('')}
Where a licence is named without a text, Debian has the texts of the common ones in /usr/share/common-licenses.
`
}
