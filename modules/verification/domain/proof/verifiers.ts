import { verifyBitcoinMessage } from '../bitcoin-message/verify-bitcoin-message.ts'
import { verifyChainpoint } from '../chainpoint/verify-chainpoint.ts'
import { typedDigest } from '../cms/digest-content.ts'
import type { Compared } from '../cms/digest-content.ts'
import { verifyCms } from '../cades/verify-cms.ts'
import { verifyCheckpoint } from '../log/verify-checkpoint.ts'
import { verifyLogProof } from '../log/verify-log-proof.ts'
import { verifyEvidenceRecord } from '../evidence-record/verify-evidence-record.ts'
import { verifyOpenTimestamps } from '../opentimestamps/verify-opentimestamps.ts'
import type { Readable } from '../file/readable.ts'
import { verifyPdfProof } from '../pdf/verify-pdf-proof.ts'
import { verifyXades } from '../xades/verify-xades.ts'
import { verifyWaczProof } from '../wacz/verify-wacz-proof.ts'
import { verifyAsicProof } from '../asic/verify-asic-proof.ts'
import type { VerifyDeps } from '../known/verify-deps.ts'
import type { ProofKind, ProofReport } from '../report/proof-report.ts'
import { base64, unwrapText } from '../recognise/recognise.ts'
import { verifyTimestampProof } from '../timestamp/verify-timestamp-proof.ts'
import { verifyTrustedList } from '../trusted-list/verify-trusted-list.ts'

/** What the reader knows from elsewhere, beside what he dropped. Empty fields are absent. */
export type ReaderFields = {
  /** Digest of what a proof should be about, hexadecimal or base64. */
  readonly digest?: string
  readonly address?: string
  readonly account?: string
}

export type ItemInput = ReaderFields & {
  readonly name: string
  readonly file: Readable
  /** The file that it is about, when it is at hand: some proofs hash it again, by another algorithm. */
  readonly partner?: Readable
}

/** How an item of one kind is verified, and how long it may be. */
type Verifier = {
  readonly largest: number
  readonly verify: (input: ItemInput, deps: VerifyDeps) => Promise<ProofReport>
}

const mebibyte = 1 << 20

async function wholeOf({ file }: ItemInput): Promise<Uint8Array> {
  return await file.read(0, file.size)
}

/** Binary proofs may have been pasted or sent as text. */
async function octetsOf(input: ItemInput): Promise<Uint8Array> {
  const bytes = await wholeOf(input)
  return unwrapText(bytes) ?? bytes
}

async function textOf(input: ItemInput): Promise<string> {
  return new TextDecoder().decode(await wholeOf(input))
}

/** As hexadecimal, also when it was given in base64. */
export function digestOf({ digest }: ReaderFields): { digest?: string } {
  if (digest === undefined) return {}
  const hex = digest.replaceAll(/[\s:]/g, '')
  const bytes = /^[0-9a-f]+$/i.test(hex) ? undefined : base64(digest.trim())
  if (bytes === undefined) return { digest: hex.toLowerCase() }
  return { digest: Array.from(bytes, (octet) => octet.toString(16).padStart(2, '0')).join('') }
}

/** What was typed is compared even when it is no digest: then it is not the one, and that is said. */
export function comparedOf(fields: ReaderFields): Compared | undefined {
  const { digest } = digestOf(fields)
  return digest === undefined ? undefined : (typedDigest(digest) ?? { digests: {} })
}

/** One row for each kind; a document is hashed instead, a package read in slices. */
export const verifiers: Readonly<Partial<Record<ProofKind, Verifier>>> = {
  timestamp: {
    largest: 8 * mebibyte,
    verify: async (input, deps) => {
      const data = comparedOf(input)
      return await verifyTimestampProof({ token: await octetsOf(input), ...(data === undefined ? {} : { data }) }, deps)
    },
  },
  evidence_record: {
    largest: 8 * mebibyte,
    verify: async (input, deps) => {
      const digest = comparedOf(input)
      const { partner } = input
      const data = [...(digest === undefined ? [] : [digest]), ...(partner === undefined ? [] : [{ file: partner }])]
      return await verifyEvidenceRecord({ record: await octetsOf(input), data }, deps)
    },
  },
  cms: {
    largest: 32 * mebibyte,
    verify: async (input, deps) => {
      const digest = comparedOf(input)
      const { partner: file } = input
      const content = digest !== undefined && 'digests' in digest && file !== undefined ? { ...digest, file } : digest
      return await verifyCms({ signature: await octetsOf(input), ...(content === undefined ? {} : { content }) }, deps)
    },
  },
  xades: {
    largest: 17 * mebibyte,
    verify: async (input, deps) => {
      const content = input.partner === undefined ? comparedOf(input) : { file: input.partner }
      return await verifyXades({ bytes: await wholeOf(input), ...(content === undefined ? {} : { content }) }, deps)
    },
  },
  pdf: {
    largest: 512 * mebibyte,
    verify: async ({ file, name }, deps) => await verifyPdfProof({ file, name }, deps),
  },
  asic: {
    largest: 512 * mebibyte,
    verify: async ({ file, name }, deps) => await verifyAsicProof({ file, name }, deps),
  },
  wacz: {
    largest: 4096 * mebibyte,
    verify: async ({ file, name }, deps) => await verifyWaczProof({ file, name }, deps),
  },
  opentimestamps: {
    largest: 4 * mebibyte,
    verify: async (input, deps) => await verifyOpenTimestamps({ proof: await octetsOf(input), ...digestOf(input) }, deps),
  },
  chainpoint: {
    largest: 4 * mebibyte,
    verify: async (input, deps) => {
      const bytes = await wholeOf(input)
      return await verifyChainpoint({ proof: unwrapText(bytes) ?? bytes, ...digestOf(input) }, deps)
    },
  },
  bitcoin_message: {
    largest: mebibyte,
    verify: async (input, deps) => {
      const { address } = input
      const message = await textOf(input)
      return await verifyBitcoinMessage({ message, signature: '', ...(address === undefined ? {} : { address }) }, deps)
    },
  },
  log_proof: {
    largest: mebibyte,
    verify: async (input, deps) => {
      const { digest } = digestOf(input)
      const root =
        digest === undefined || !/^[0-9a-f]{64}$/.test(digest) ? undefined : unwrapText(new TextEncoder().encode(digest))
      return await verifyLogProof({ proof: await wholeOf(input), ...(root === undefined ? {} : { root }) }, deps)
    },
  },
  checkpoint: {
    largest: mebibyte,
    verify: async (input, deps) => await verifyCheckpoint({ note: await wholeOf(input) }, deps),
  },
  trusted_list: {
    largest: 32 * mebibyte,
    verify: async (input, deps) => await verifyTrustedList({ list: await wholeOf(input) }, deps),
  },
}
