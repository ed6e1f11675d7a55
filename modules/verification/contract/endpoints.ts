import { z } from 'zod'
import { endpoint } from '../../../kernel/endpoint.ts'
import { bitcoinSignatureBody, chainpointProofBody, digestBody, eidasBody, nanoSignatureBody } from './fields.ts'
import { proofReport } from './proof-report.ts'

const open = ['open'] as const

/** C-66, P-02. */
export const verifyDigest = endpoint({
  method: 'POST',
  path: '/verifier/digest/',
  summary: 'Compute the digest of a text, and compare it with one that is given',
  access: open,
  body: digestBody,
  response: proofReport,
})

/** C-67. */
export const verifyBitcoinSignature = endpoint({
  method: 'POST',
  path: '/verifier/bitcoin_signature/',
  summary: 'Verify a message signed with a Bitcoin key',
  access: open,
  body: bitcoinSignatureBody,
  response: proofReport,
})

/** C-68. */
export const verifyNanoSignature = endpoint({
  method: 'POST',
  path: '/verifier/nano_signature/',
  summary: 'Verify a message signed with a Nano account',
  access: open,
  body: nanoSignatureBody,
  response: proofReport,
})

/** C-69: Chainpoint JSON, or an OpenTimestamps proof in base64. */
export const verifyChainpointProof = endpoint({
  method: 'POST',
  path: '/verifier/chainpoint_proof/',
  summary: 'Verify a Chainpoint or OpenTimestamps proof',
  access: open,
  body: chainpointProofBody,
  response: proofReport,
})

/** C-70: an RFC 3161 token or answer, base64, hexadecimal or PEM. */
export const verifyEidas = endpoint({
  method: 'POST',
  path: '/verifier/eidas/',
  summary: 'Verify an RFC 3161 timestamp',
  access: open,
  body: eidasBody,
  response: proofReport,
})

/** The header of a block as this installation knows it, and from where; asked for only when the reader says so. */
export const readBitcoinHeader = endpoint({
  method: 'GET',
  path: '/verifier/bitcoin_headers/:height/',
  summary: 'Read the header of a Bitcoin block',
  access: open,
  params: z.object({ height: z.string().regex(/^\d{1,9}$/, { error: 'invalid' }) }),
  response: z.object({
    height: z.int(),
    /** 80 octets each, hexadecimal. Several answers come from several sources. */
    headers: z.array(z.object({ header: z.string(), source: z.string() })),
  }),
})
