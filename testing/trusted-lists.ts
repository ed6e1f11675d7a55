import { execFile } from 'node:child_process'
import { constants, createHash, createSign, X509Certificate } from 'node:crypto'
import type { BinaryLike, KeyLike } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createOptionalCallbackFunction, SignedXml } from 'xml-crypto'
import type { SignatureAlgorithm } from 'xml-crypto'

/**
 * A European Union of its own on loopback: a list of lists, its pivots and national lists, written here, signed by openssl's keys with
 * a library that shares no code with our verifier.
 */
export type ListSigner = { readonly key: string; readonly certificate: Buffer; readonly sha256: string }

const run = promisify(execFile)

export async function makeListSigner(
  name: string,
  { keyType = 'rsa' }: { keyType?: 'rsa' | 'rsa-pss' } = {},
): Promise<ListSigner> {
  const dir = await mkdtemp(join(tmpdir(), 'list-signer-'))
  try {
    const file = (path: string) => join(dir, path)
    const newKey = ['-newkey', keyType, '-pkeyopt', 'rsa_keygen_bits:2048', '-nodes', '-keyout', file('key')]
    await run('openssl', ['req', '-x509', ...newKey, '-out', file('pem'), '-subj', `/C=FR/O=Test/CN=${name}`])
    const certificate = new X509Certificate(await readFile(file('pem'))).raw
    const sha256 = createHash('sha256').update(certificate).digest('hex')
    return { key: await readFile(file('key'), 'utf8'), certificate, sha256 }
  } finally {
    await rm(dir, { recursive: true })
  }
}

export type ListText = {
  readonly kind: 'lotl' | 'national'
  readonly territory: string
  readonly number: number
  readonly issued: string
  /** Empty: the list is closed. */
  readonly next: string
  readonly version?: number
  readonly uris?: readonly string[]
  readonly pointers?: readonly { readonly territory: string; readonly url: string; readonly signers: readonly ListSigner[] }[]
  /** Certificates of time-stamping services, and what the history says of them, newest first. */
  readonly services?: readonly {
    readonly certificate: Buffer
    readonly history: readonly { readonly since: string; readonly status: string; readonly type?: string }[]
    /** XML of an Extension. */
    readonly extension?: string
  }[]
}

const types = 'http://uri.etsi.org/TrstSvc/TrustedList/TSLType/'
const typeOf = { lotl: `${types}EUlistofthelists`, national: `${types}EUgeneric` }

/** ETSI TS 119 612, as far as anything here reads it. */
export function writeList(list: ListText): string {
  const name = (text: string) => `<Name xml:lang="en">${text}</Name>`
  const pointers = (list.pointers ?? []).map(
    ({ territory, url, signers }) => `<OtherTSLPointer><ServiceDigitalIdentities>${signers
      .map((each) => `<ServiceDigitalIdentity>${digitalId(each.certificate)}</ServiceDigitalIdentity>`)
      .join('')}</ServiceDigitalIdentities><TSLLocation>${url}</TSLLocation><AdditionalInformation>
<OtherInformation><TSLType>${territory === 'EU' ? typeOf.lotl : typeOf.national}</TSLType></OtherInformation>
<OtherInformation><SchemeTerritory>${territory}</SchemeTerritory></OtherInformation>
<OtherInformation><x:MimeType>application/vnd.etsi.tsl+xml</x:MimeType></OtherInformation></AdditionalInformation></OtherTSLPointer>`,
  )
  const services = (list.services ?? []).map(({ certificate, history, extension = '' }) => {
    const [now, ...past] = history.map(
      ({
        since,
        status,
        type = 'TSA/QTST',
      }) => `<ServiceTypeIdentifier>http://uri.etsi.org/TrstSvc/Svctype/${type}</ServiceTypeIdentifier>
<ServiceName>${name('Time')}</ServiceName><ServiceDigitalIdentity>${digitalId(certificate)}</ServiceDigitalIdentity>
<ServiceStatus>http://uri.etsi.org/TrstSvc/TrustedList/Svcstatus/${status}</ServiceStatus>
<StatusStartingTime>${since}</StatusStartingTime>`,
    )
    return `<TSPService><ServiceInformation>${now ?? ''}<ServiceInformationExtensions>${extension}</ServiceInformationExtensions>
</ServiceInformation><ServiceHistory>${past.map((each) => `<ServiceHistoryInstance>${each}</ServiceHistoryInstance>`).join('')}</ServiceHistory></TSPService>`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>
<TrustServiceStatusList xmlns="http://uri.etsi.org/02231/v2#" xmlns:x="http://uri.etsi.org/02231/v2/additionaltypes#" Id="list" TSLTag="http://uri.etsi.org/19612/TSLTag">
<SchemeInformation><TSLVersionIdentifier>${list.version ?? 6}</TSLVersionIdentifier><TSLSequenceNumber>${list.number}</TSLSequenceNumber>
<TSLType>${typeOf[list.kind]}</TSLType><SchemeOperatorName>${name(`Operator of ${list.territory}`)}</SchemeOperatorName>
<SchemeInformationURI>${(list.uris ?? []).map((uri) => `<URI xml:lang="en">${uri}</URI>`).join('')}</SchemeInformationURI>
<SchemeTerritory>${list.territory}</SchemeTerritory><PointersToOtherTSL>${pointers.join('')}</PointersToOtherTSL>
<ListIssueDateTime>${list.issued}</ListIssueDateTime><NextUpdate>${list.next === '' ? '' : `<dateTime>${list.next}</dateTime>`}</NextUpdate>
</SchemeInformation><TrustServiceProviderList><TrustServiceProvider><TSPInformation><TSPName>${name('Provider &amp; Co')}</TSPName></TSPInformation>
<TSPServices>${services.join('')}</TSPServices></TrustServiceProvider></TrustServiceProviderList></TrustServiceStatusList>`
}

function digitalId(certificate: Buffer): string {
  return `<DigitalId><X509Certificate>${certificate.toString('base64')}</X509Certificate></DigitalId>`
}

const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const sha256 = 'http://www.w3.org/2001/04/xmlenc#sha256'

const pssName = 'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1'

/** RSASSA-PSS, which the library does not know, and with which Germany signs. */
class Pss implements SignatureAlgorithm {
  getSignature = createOptionalCallbackFunction((info: BinaryLike, key: KeyLike) =>
    createSign('sha256')
      .update(info as string)
      .sign({ key: key as string, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }, 'base64'),
  )
  verifySignature = createOptionalCallbackFunction(() => false)
  getAlgorithmName = () => pssName
}

/** XAdES baseline B, enveloped; `named` is the certificate that the signed properties name, when it is not the signer's. */
export function signList(
  xml: string,
  signer: ListSigner,
  { named = signer, pss = false }: { named?: ListSigner; pss?: boolean } = {},
): string {
  const digest = createHash('sha256').update(named.certificate).digest('base64')
  const signing = new SignedXml({
    privateKey: signer.key,
    canonicalizationAlgorithm: exclusive,
    signatureAlgorithm: pss ? pssName : 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    getKeyInfoContent: () =>
      `<ds:X509Data><ds:X509Certificate>${signer.certificate.toString('base64')}</ds:X509Certificate></ds:X509Data>`,
    objects: [
      {
        content: `<xades:QualifyingProperties xmlns:xades="http://uri.etsi.org/01903/v1.3.2#" Target="#signature"><xades:SignedProperties Id="properties"><xades:SignedSignatureProperties><xades:SigningTime>2026-11-01T00:00:00Z</xades:SigningTime><xades:SigningCertificateV2><xades:Cert><xades:CertDigest><ds:DigestMethod Algorithm="${sha256}"/><ds:DigestValue>${digest}</ds:DigestValue></xades:CertDigest></xades:Cert></xades:SigningCertificateV2></xades:SignedSignatureProperties></xades:SignedProperties></xades:QualifyingProperties>`,
      },
    ],
  })
  signing.SignatureAlgorithms[pssName] = Pss
  signing.addReference({
    xpath: '/*',
    isEmptyUri: true,
    digestAlgorithm: sha256,
    transforms: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', exclusive],
  })
  signing.addReference({
    xpath: "//*[local-name(.)='SignedProperties']",
    type: 'http://uri.etsi.org/01903#SignedProperties',
    digestAlgorithm: sha256,
    transforms: [exclusive],
  })
  signing.computeSignature(xml, { prefix: 'ds', attrs: { Id: 'signature' } })
  return signing.getSignedXml()
}

export type ListServer = {
  readonly origin: string
  /** `ip:port`, as settings allow it. */
  readonly address: string
  /** What a path answers; a function answers by itself. */
  readonly paths: Map<string, string | ((request: IncomingMessage, response: ServerResponse) => void)>
  /** Paths asked for so far. */
  readonly asked: string[]
  close(): Promise<void>
}

export async function startListServer(): Promise<ListServer> {
  const paths: ListServer['paths'] = new Map()
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    const answer = paths.get(request.url ?? '')
    if (typeof answer === 'function') answer(request, response)
    else if (answer === undefined) response.writeHead(404).end()
    else response.writeHead(200, { 'content-type': 'application/vnd.etsi.tsl+xml' }).end(answer)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = `127.0.0.1:${String((server.address() as AddressInfo).port)}`
  return {
    origin: `http://${address}`,
    address,
    paths,
    asked,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => {
        server.close(resolve)
      })
    },
  }
}
