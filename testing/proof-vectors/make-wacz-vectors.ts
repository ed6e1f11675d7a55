import { writeFile } from 'node:fs/promises'
import { generateKeyPairSync } from 'node:crypto'
import { join } from 'node:path'
import { systemClock } from '../../kernel/clock.ts'
import { createTimestampers } from '../../modules/sealing/server/index.ts'
import { pemOf } from '../../modules/sealing/server/certificates/read-certificate.ts'
import { signArchive } from '../../modules/sealing/server/notary/sign-archive.ts'
import { silentLog } from '../../platform/log/log.ts'
import { temporaryFolder, temporaryKeyring } from '../keyring.ts'
import { zipOf } from '../write-zip.ts'
import { findsIn, writeGallery } from './gallery.ts'
import type { Case } from './gallery.ts'
import { certificate } from './issue.ts'
import { archive, created, datapackage, pieces, sha } from './wacz-archives.ts'

/** Writes the vectors of web archives: `node testing/proof-vectors/make-wacz-vectors.ts`. The keys are in a folder that goes. */
const ecKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
const folder = await temporaryFolder()
try {
  const keyring = await temporaryKeyring(folder.dir)
  const timestampers = createTimestampers({ urls: [], keyring, clock: systemClock, log: silentLog })
  const hour = 3_600_000
  const from = new Date(Date.now() - hour)
  const authority = certificate({ name: 'Vector domain authority', serial: 1, key: ecKey(), authority: true, from })
  const domainKey = ecKey()
  const leaf = certificate({ name: 'archive.example', serial: 2, key: domainKey, from }, authority)
  const files = { certificateFile: join(folder.dir, 'domain.pem'), keyFile: join(folder.dir, 'domain.key') }
  await writeFile(files.certificateFile, pemOf([leaf.der, authority.der]))
  await writeFile(files.keyFile, domainKey.export({ type: 'pkcs8', format: 'pem' }))
  const ofDomain = async (list: object = {}): Promise<object> => {
    const deps = { key: { publicKey: new Uint8Array(), sign: () => new Uint8Array() }, domain: files, timestampers }
    const signing = { ...deps, clock: systemClock, log: silentLog, software: 'probant/0.1.0' }
    return await signArchive({ hash: sha(datapackage(list)), created }, signing)
  }
  const domain = await ofDomain()
  const made = (change: Parameters<typeof archive>[0] = {}): Uint8Array => archive({ ofDomain: domain, ...change })
  const time = Buffer.from(pemOf((await keyring.signer('time')).chain))
  const domainRoot = Buffer.from(pemOf([authority.der]))

  const changed = [
    { path: 'archive/data.warc.gz', bytes: Buffer.from('WARC/1.2') },
    { path: 'pages/pages.jsonl', bytes: Buffer.from('{"format":"json-pages-1.0"}\n') },
  ]
  const shorter = { path: 'archive/data.warc.gz', bytes: Buffer.from('WARC') }
  const more = { path: 'more.txt', bytes: Buffer.from('more') }
  const unknown = { resources: [{ path: 'archive/data.warc.gz', hash: 'md5:00', bytes: 8 }] }
  const other = { list: { title: 'Another' } }
  const named = certificate({ name: 'elsewhere.example', serial: 3, key: domainKey, from }, authority)
  const old = certificate(
    { name: 'archive.example', serial: 4, key: domainKey, from: new Date(Date.now() - 240 * hour) },
    authority,
  )
  const chain = (leafDer: Uint8Array): object => ({
    domainCert: [leafDer, authority.der].map((each) => pemOf([each])).join('\n'),
  })
  const rows: readonly (readonly [name: string, bytes: Uint8Array, finds: readonly string[], known?: string])[] = [
    ['a whole archive, signed for a domain', made(), []],
    ['a whole archive that nobody vouches for', archive(), ['trust~anonymous']],
    ['roots that name nobody', made(), ['trust~no_roots', 'time_trust~no_roots'], 'none.pem'],
    ['the root of the domain alone', made(), ['time_trust~not_among_roots'], 'domain.pem'],
    ['the root of the authority of time alone', made(), ['trust~not_among_roots'], 'time.pem'],
    ['a file altered', made({ files: changed }), ['resource=differs', 'resources=differs']],
    ['a file left out', made({ files: changed.slice(1) }), ['resource=missing', 'resources=differs']],
    ['a file of another length', made({ files: [shorter, ...changed.slice(1)] }), ['resource=size', 'resources=differs']],
    [
      'a digest of another kind',
      archive({ list: unknown, ofDomain: await ofDomain(unknown), files: pieces.slice(0, 1) }),
      ['resource~unknown_digest', 'resources~differs'],
    ],
    ['a file that no list names', made({ files: [...pieces, more] }), ['unlisted~not_listed']],
    ['a list without resources', archive({ list: { resources: 3 } }), ['datapackage=malformed']],
    ['no list', zipOf([more]), ['datapackage=missing']],
    ['no digest', made({ digest: null }), ['digest?no_digest_file', 'signature~unsigned']],
    ['a digest of something else', made({ digest: { hash: sha('other') } }), ['digest=other_digest']],
    ['another list than the one signed', made(other), ['digest=other_digest']],
    ['not signed', made({ signed: null }), ['signature~unsigned']],
    [
      'a signature over something else',
      made({ signed: { signature: Buffer.alloc(70, 1).toString('base64') } }),
      ['signature=signature'],
    ],
    ['another date', made({ signed: { created: '2020-01-01T00:00:00Z' } }), ['signature=created_differs']],
    ['a member too many', made({ signed: { more: 'x' } }), ['signature=malformed']],
    ['another domain', made({ signed: { domain: 'elsewhere.example' } }), ['signature=archive_domain']],
    ['a certificate of another domain', made({ signed: chain(named.der) }), ['signature=archive_domain']],
    ['a certificate of ten days ago', made({ signed: chain(old.der) }), ['signature=expired']],
    [
      'a chain that does not hold',
      made({ signed: { domainCert: [leaf.der, named.der].map((each) => pemOf([each])).join('\n') } }),
      ['signature=chain'],
    ],
    [
      'the time stamp of another signature',
      made({ signed: { timeSignature: ((await ofDomain(other.list)) as { timeSignature: string }).timeSignature } }),
      ['signature=timestamp_failed'],
    ],
    ['not a ZIP file', Buffer.from('a web archive that is none at all'), ['container=not_zip']],
    ['a name twice', zipOf([...changed, ...changed]), ['container=duplicate', 'datapackage=missing']],
    ['a name twice in a whole one', made({ files: [...pieces, ...pieces.slice(0, 1)] }), ['container=duplicate']],
    ['an encrypted entry', made({ files: [...pieces, { ...more, path: 'indexes/', flags: 1 }] }), ['container=encrypted']],
  ]
  const cases = rows.map(([name, bytes, finds, trust], i): Case => ({
    name,
    ...(i === 0 ? { file: 'good.wacz' } : { editOf: 'good.wacz' }),
    bytes,
    ...(trust === undefined ? {} : { known: { trust } }),
    finds: findsIn(finds),
  }))
  await writeGallery('wacz', {
    known: { now: new Date().toISOString(), trust: 'roots.pem' },
    unusable: ['not a ZIP file'],
    cases,
    files: { 'roots.pem': Buffer.concat([domainRoot, time]), 'domain.pem': domainRoot, 'time.pem': time, 'none.pem': '' },
  })
} finally {
  await folder.remove()
}
