import { utf8 } from '../../kernel/bytes.ts'
import { collectTrustedLists } from '../../modules/verification/server/trusted-lists/collect-trusted-lists.ts'
import { makeListSigner, signList, writeList } from '../trusted-lists.ts'
import type { ListSigner, ListText } from '../trusted-lists.ts'
import { findsIn, writeGallery } from './gallery.ts'
import type { Case, Known } from './gallery.ts'

/** Writes the vectors of trusted lists: `node testing/proof-vectors/make-trusted_list-vectors.ts`. The keys are forgotten. */
const names = ['Commission', 'Austria', 'Stranger', 'Unit']
const [commission, austria, stranger, unit] = (await Promise.all(names.map(async (name) => await makeListSigner(name)))) as [
  ListSigner,
  ListSigner,
  ListSigner,
  ListSigner,
]
const now = '2026-11-20T00:00:00Z'
const url = 'https://lists.example'
const journal = { journal: 'C/TEST', url: 'https://journal.example/oj', signers: [commission.sha256] }
const lotlText = (more: Partial<ListText> = {}): ListText => ({
  kind: 'lotl',
  territory: 'EU',
  number: 10,
  issued: '2026-11-01T00:00:00Z',
  next: '2027-05-01T00:00:00Z',
  uris: [journal.url],
  pointers: [
    { territory: 'EU', url: `${url}/lotl.xml`, signers: [commission] },
    { territory: 'AT', url: `${url}/at.xml`, signers: [austria] },
  ],
  ...more,
})
const nationalText = (more: Partial<ListText> = {}): ListText => ({
  kind: 'national',
  territory: 'AT',
  number: 5,
  issued: '2026-10-01T00:00:00Z',
  next: '2027-04-01T00:00:00Z',
  services: [{ certificate: unit.certificate, history: [{ since: '2018-01-01T00:00:00Z', status: 'granted' }] }],
  ...more,
})
const listOf = (more: Partial<ListText> = {}, signer = austria): string => signList(writeList(nationalText(more)), signer)
const lotl = signList(writeList(lotlText()), commission)
const national = listOf()
const files: Readonly<Record<string, string>> = { [`${url}/lotl.xml`]: lotl, [`${url}/at.xml`]: national }
const fetch = (address: string): Promise<Uint8Array> => Promise.resolve(utf8(files[address] ?? ''))
const { lists } = await collectTrustedLists(
  { fetch, clock: { now: () => new Date(now) }, lotlUrl: `${url}/lotl.xml`, journal },
  undefined,
)
if (lists === undefined) throw new Error('the lists are not read')

const head = /^<\?xml[^>]*>\s*/
const signature = /<ds:Signature [\s\S]*<\/ds:Signature>/.exec(national)?.[0] ?? ''
const forged = writeList(nationalText({ number: 99 }))
const into = (list: string, inside: string): string =>
  list.replace('</TrustServiceStatusList>', () => `${inside}</TrustServiceStatusList>`)
const inner = national.replace(head, '').replace(signature, '').replace('Id="list"', 'Id="inner"')
const asObject = signature
  .replace('URI=""', 'URI="#inner"')
  .replace('</ds:Signature>', () => `<ds:Object>${inner}</ds:Object></ds:Signature>`)
const envelopedTransform = '<ds:Transform Algorithm="http://www.w3.org/2000/09/xmldsig#enveloped-signature"/>'
const selecting =
  '<ds:Transform Algorithm="http://www.w3.org/TR/1999/REC-xpath-19991116"><ds:XPath>false()</ds:XPath></ds:Transform>'
const laughs = Array.from({ length: 12 }, (_, i) => `<!ENTITY e${i + 1} "${`&e${i};`.repeat(10)}">`).join('')

/** Nobody's lists: whoever reads the row has none. */
const without: Known = { noLists: true }
type Given = readonly [name: string, xml: string, finds: readonly string[], known?: Known]
const rows: readonly Given[] = [
  ['a national list', national, []],
  ['the list of lists', lotl, []],
  ['a list that is closed', listOf({ number: 6, next: '' }), ['known?newer']],
  ['a page', '<!DOCTYPE html><html><body>Sorry</body></html>', ['form=malformed']],
  ['cut short', national.slice(0, -30), ['form=malformed']],
  ['a billion laughs', `<!DOCTYPE a [<!ENTITY e0 "ha">${laughs}]><a>&e12;</a>`, ['form=malformed']],
  ['of an old version', listOf({ version: 4 }), ['form=version']],
  ['with a date that is none', listOf({ issued: '2026-13-01T00:00:00Z' }), ['form=malformed']],
  ['unsigned', writeList(nationalText()), ['signature=no_signature']],
  ['changed after', national.replace('granted', 'withdrawn'), ['signature=digest']],
  ['with an attribute more', national.replace('TSLTag=', 'x:y="z" TSLTag='), ['signature=digest']],
  ['with the algorithm named otherwise', national.replace('#rsa-sha256', '#rsa-sha512'), ['signature=signature_value']],
  ['with an algorithm of the past', national.replace('xmldsig-more#rsa-sha256', 'xmldsig#rsa-sha1'), ['signature=algorithm']],
  ['by HMAC', national.replace('2001/04/xmldsig-more#rsa-sha256', '2000/09/xmldsig#hmac-sha1'), ['signature=algorithm']],
  ['with comments kept', national.replaceAll('xml-exc-c14n#"', 'xml-exc-c14n#WithComments"'), ['signature=transforms']],
  [
    'whose certificate is not the one named',
    signList(writeList(nationalText()), austria, { named: stranger }),
    ['signature=signing_certificate'],
  ],
  ['the signature of another list', into(forged, signature), ['signature=digest']],
  ['two signatures', into(national, signature), ['signature=two_signatures']],
  [
    'a second one deeper',
    national.replace('</SchemeInformation>', () => `${signature}</SchemeInformation>`),
    ['signature=two_signatures'],
  ],
  ['the signed list inside the forged one', into(forged, `<Old>${national.replace(head, '')}</Old>`), ['signature=references']],
  ['the signed list as an object of a signature of the forged one', into(forged, asObject), ['signature=references']],
  [
    'the properties said twice',
    national.replace('</SchemeInformation>', '<Extra Id="properties"/></SchemeInformation>'),
    ['signature=references'],
  ],
  [
    'no reference to the properties',
    national.replace(/<ds:Reference[^>]*Type=[\s\S]*?<\/ds:Reference>/, ''),
    ['signature=references'],
  ],
  [
    'a third reference',
    national.replace('</ds:SignedInfo>', '<ds:Reference URI="#list"/></ds:SignedInfo>'),
    ['signature=references'],
  ],
  ['a transform that selects', national.replace(envelopedTransform, selecting), ['signature=transforms']],
  ['signed by a stranger', listOf({}, stranger), ['signer~other_signer', 'known?differs']],
  ['of a State that no list names', listOf({ territory: 'BE' }), ['signer~not_named', 'known?no_list']],
  ['no lists at hand', national, ['signer~no_list', 'known?no_list'], without],
  ['past its term', listOf({ number: 6, next: '2026-11-19T23:59:59Z' }), ['current?expired', 'known?newer']],
  ['past its term, and the one that is known', national, ['current?expired'], { now: '2027-06-01T00:00:00Z' }],
  ['newer than the one that is known', listOf({ number: 6 }), ['known?newer']],
  ['older than the one that is known', listOf({ number: 4 }), ['known?older']],
  ['of the same number, and another', listOf({ issued: '2026-10-02T00:00:00Z' }), ['known?differs']],
]
const cases = rows.map(([name, xml, finds, known], i): Case => ({
  name,
  ...(i === 0 ? { file: 'national.xml' } : { editOf: 'national.xml' }),
  bytes: utf8(xml),
  ...(known === undefined ? {} : { known }),
  finds: findsIn(finds),
}))
for (const [name, xml, finds] of rows)
  if (finds.length > 0 && xml === national && !name.includes('known') && !name.includes('no lists'))
    throw new Error(`${name}: nothing is changed`)
await writeGallery('trusted_list', {
  known: { now, lists },
  unusable: ['a page', 'cut short', 'a billion laughs', 'with a date that is none'],
  cases,
})
