/** What an image is made of, as CycloneDX 1.5 (ECMA-424): packages of Debian and of npm. Pure. */

type Component = {
  readonly type: 'library' | 'application'
  readonly 'bom-ref': string
  readonly name: string
  readonly version: string
  readonly purl: string
  readonly hashes?: readonly { readonly alg: 'SHA-512'; readonly content: string }[]
}

const part = (text: string) => encodeURIComponent(text).replaceAll('%3A', ':')

/** @param installed lines of dpkg-query: package, version, architecture, source; by tabs */
function debianComponents(installed: string): readonly Component[] {
  return installed
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [name = '', version = '', architecture = ''] = line.split('\t')
      const purl = `pkg:deb/debian/${part(name)}@${part(version)}?arch=${part(architecture)}&distro=bookworm`
      return { type: 'library', 'bom-ref': purl, name, version, purl }
    })
}

type Locked = { readonly version?: string; readonly integrity?: string }

/** Of the lock file those that the image holds, with the hash that npm had them by. */
function npmComponents(lock: string, isThere: (folder: string) => boolean): readonly Component[] {
  const { packages } = JSON.parse(lock) as { packages: Readonly<Record<string, Locked>> }
  const found = new Map<string, Component>()
  for (const [folder, { version, integrity }] of Object.entries(packages)) {
    if (!folder.includes('node_modules/') || version === undefined || !isThere(folder)) continue
    const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length)
    const purl = `pkg:npm/${name.split('/').map(encodeURIComponent).join('/')}@${part(version)}`
    const sha512 = /^sha512-(\S+)$/.exec(integrity ?? '')?.[1]
    found.set(purl, {
      type: 'library',
      'bom-ref': purl,
      name,
      version,
      purl,
      ...(sha512 === undefined ? {} : { hashes: [{ alg: 'SHA-512', content: Buffer.from(sha512, 'base64').toString('hex') }] }),
    })
  }
  return [...found.values()]
}

export function describeComponents(image: {
  readonly installed: string
  readonly lock: string
  readonly isThere: (folder: string) => boolean
  readonly epoch: number
}): string {
  const { name = 'probant', version = '' } = JSON.parse(image.lock) as { name?: string; version?: string }
  const components = [...debianComponents(image.installed), ...npmComponents(image.lock, image.isThere)]
  const sorted = components.toSorted((a, b) => (a['bom-ref'] < b['bom-ref'] ? -1 : 1))
  const bom = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      timestamp: new Date(image.epoch * 1000).toISOString(),
      component: {
        type: 'application',
        'bom-ref': `pkg:npm/${name}@${version}`,
        name,
        version,
        purl: `pkg:npm/${name}@${version}`,
      },
    },
    components: sorted,
  }
  return `${JSON.stringify(bom, null, 1)}\n`
}
