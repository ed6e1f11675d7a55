import type { Attachment, CertificateEdition, CertificateFacts } from './page/certificate-facts.ts'

export const depositFormat = 'probant-deposit/1'

/**
 * All that the certificate says as data, attached to it and so under its signature: what is too long for the page stands here whole, and a
 * program need not read the page. See docs/decisions/0289.
 */
export function depositRecord(facts: CertificateFacts, { edition, madeAt, software }: CertificateEdition): Attachment {
  const person = (of: CertificateFacts['depositor']) => ({
    name: of.name,
    email_confirmed_at: of.confirmedAt,
    identity_verified_at: of.identityVerifiedAt,
  })
  const record = {
    format: depositFormat,
    id: facts.id,
    received: { at: facts.receivedAt, sha256: facts.sha256, sha512: facts.sha512 },
    declared: {
      name: facts.name,
      description: facts.description,
      replaces: facts.replaces.map(({ id, name, sealedAt }) => ({ id, name, sealed_at: sealedAt })),
    },
    stored: facts.stored === null ? null : { bytes: facts.stored.bytes, compared_at: facts.stored.comparedAt },
    depositor: person(facts.depositor),
    owner: facts.owner === null ? null : person(facts.owner),
    api_key: facts.apiKey,
    seal: {
      root: facts.root,
      batch: facts.batch,
      signed_at: facts.signedAt,
      signer: facts.signer,
      timestamps: facts.stamps.map(({ file, caFile, authority, genTime, serial, embedded, qualification }) => ({
        file,
        ca_file: caFile,
        authority,
        gen_time: genTime,
        serial,
        embedded,
        qualification: qualification.state,
        trusted_list: qualification.source,
      })),
      renewals: facts.renewals.map(({ file, number, caFile, authority, genTime, serial, embedded, qualification }) => ({
        file,
        number,
        ca_file: caFile,
        authority,
        gen_time: genTime,
        serial,
        embedded,
        qualification: qualification.state,
        trusted_list: qualification.source,
      })),
      log: facts.log,
      anchor: facts.anchor,
    },
    certificate: { edition, made_at: madeAt, software },
  }
  return {
    name: 'deposit.json',
    mediaType: 'application/json',
    bytes: new TextEncoder().encode(`${JSON.stringify(record, null, 2)}\n`),
  }
}
