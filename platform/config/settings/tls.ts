/** Who ends TLS: a proxy before the installation, or itself. */
import { address, integer, oneOf, text } from './parsers.ts'
import { setting } from './setting.ts'

export const tls = {
  tls: setting({
    name: 'PROBANT_TLS',
    ...oneOf('proxy', 'files', 'acme'),
    fallback: 'proxy',
    fallbackText: '`proxy`: the web role speaks HTTP, and whoever stands before it ends TLS',
    meaning:
      'Whether the web role speaks TLS itself: with a certificate of two files, or with those that it has from an authority by ACME (RFC 8555) for the name of `PROBANT_PUBLIC_URL` and those of brands. Then `PORT` is usually `443`.',
  }),
  tlsCertificate: setting({
    name: 'PROBANT_TLS_CERTIFICATE',
    ...text(),
    fallback: undefined as string | undefined,
    fallbackText: 'required with `PROBANT_TLS=files`',
    meaning: 'PEM file: the certificate, then those above it. Read again each minute.',
  }),
  tlsKey: setting({
    name: 'PROBANT_TLS_KEY',
    ...text(),
    fallback: undefined as string | undefined,
    fallbackText: 'required with `PROBANT_TLS=files`',
    meaning: 'PEM file of the key of the certificate.',
  }),
  plainPort: setting({
    name: 'PROBANT_PLAIN_PORT',
    ...integer(0, 65_535),
    fallback: 80,
    fallbackText: '`80`',
    meaning:
      'Port on which the web role, where it speaks TLS itself, answers an authority and leads visitors to the enciphered address; an authority asks on port 80.',
  }),
  acmeTerms: setting({
    name: 'PROBANT_ACME_TERMS',
    ...oneOf('i-agree'),
    fallback: undefined as 'i-agree' | undefined,
    fallbackText: 'required with `PROBANT_TLS=acme`',
    meaning: 'That the operator read the terms of the authority and agrees to them (RFC 8555 §7.3.3).',
  }),
  acmeDirectory: setting({
    name: 'PROBANT_ACME_DIRECTORY',
    ...address(['https:']),
    fallback: 'https://acme-v02.api.letsencrypt.org/directory',
    fallbackText: '`https://acme-v02.api.letsencrypt.org/directory`',
    meaning:
      'Directory of the authority. One of a company’s own is trusted by its root in a file that `NODE_EXTRA_CA_CERTS` names.',
  }),
  acmeContact: setting({
    name: 'PROBANT_ACME_CONTACT',
    accepts: 'e-mail address',
    parse(this: void, value: string): string {
      if (!/^[^\s<>@,?]{1,64}@[^\s<>@,?]{1,255}$/.test(value)) throw new RangeError('must be an e-mail address')
      return value
    },
    fallback: undefined as string | undefined,
    fallbackText: 'none is told to it',
    meaning: 'Whom the authority may write to.',
  }),
  acmeBinding: setting({
    name: 'PROBANT_ACME_BINDING',
    accepts: '`ID:KEY`, as the authority gave them',
    parse(this: void, value: string): { readonly kid: string; readonly hmacKey: string } {
      const [, kid, hmacKey] = /^([\x21-\x39\x3b-\x7e]{1,200}):([A-Za-z0-9_-]{16,200})$/.exec(value) ?? []
      if (kid === undefined || hmacKey === undefined) throw new RangeError('must be an id, a colon and a key in base64url')
      return { kid, hmacKey }
    },
    secret: true,
    fallback: undefined as { readonly kid: string; readonly hmacKey: string } | undefined,
    fallbackText: 'none: the authority takes accounts of anybody',
    meaning: 'What binds the account to one that the authority knows already (RFC 8555 §7.3.4).',
  }),
} as const
