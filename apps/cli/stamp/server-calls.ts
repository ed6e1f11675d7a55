import type { z } from 'zod'
import type { Endpoint } from '../../../kernel/endpoint.ts'
import {
  beginDocumentCopy,
  completeDocumentCopy,
  readDocumentCopy,
  sendDocumentCopyPart,
  type DocumentCopy,
} from '../../../modules/document/contract/copy.ts'
import { createDocuments, downloadManyProofs, readDocument } from '../../../modules/document/contract/endpoints.ts'
import type { DepositInput, Document } from '../../../modules/document/contract/document.ts'
import type { Access } from './access.ts'
import { callServer, parseJson, readWhole, Refused, Unreachable, type CallDeps } from './call-server.ts'
import type { ProofKind } from './journal-lines.ts'

/** Of an upload; `from`: at which byte of the piece a slice of it begins, null: the whole piece. */
type Piece = { readonly upload: string; readonly part: number; readonly from: number | null }

export type ServerCalls = {
  /** In the order that is given. */
  deposit(documents: readonly DepositInput[]): Promise<readonly { readonly id: string; readonly duplicateOf: string | null }[]>
  /** Null: there is no such deposit. */
  read(id: string): Promise<Document | null>
  /** What a signed link leads to. */
  download(link: string): Promise<Buffer>
  /** The proofs of up to ten thousand deposits, as they come; see `readArchive`. */
  archive(ids: readonly string[], files: readonly ProofKind[]): Promise<AsyncIterable<Uint8Array>>
  /** Of the file that a deposit is of: begins an upload or goes on with one, sends a piece of it, has it compared, says how it stands. */
  readonly copy: {
    begin(id: string, bytes: number): Promise<DocumentCopy>
    send(id: string, piece: Piece, bytes: Uint8Array<ArrayBuffer>): Promise<void>
    complete(id: string, upload: string): Promise<DocumentCopy>
    read(id: string): Promise<DocumentCopy>
  }
}

/** The calls of the deposits, with a key. Each throws Refused, Unreachable. */
export function createServerCalls(access: Access, deps: CallDeps): ServerCalls {
  async function call<R extends z.ZodType>(
    { method, response }: Endpoint & { readonly response: R },
    path: string,
    body?: object,
  ): Promise<z.output<R>> {
    const sent =
      body === undefined ? {} : { body: body instanceof Uint8Array ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body) }
    const answer = await callServer(access, deps, { method: method === 'GET' ? 'GET' : 'POST', path, withKey: true, ...sent })
    const parsed = response.safeParse(parseJson(await readWhole(answer)))
    if (!parsed.success) throw new Unreachable('an answer of another form')
    return parsed.data
  }
  const of = ({ path }: Endpoint, id: string) => path.replace(':id', id)

  return {
    async deposit(documents) {
      const answer = await call(createDocuments, createDocuments.path, { documents, agree: true })
      const isOurs =
        answer.documents.length === documents.length && answer.documents.every(({ sha256 }, i) => sha256 === documents[i]?.sha256)
      if (!isOurs) throw new Unreachable('an answer to something else')
      return answer.documents.map(({ id, duplicate_of: earlier }) => ({ id, duplicateOf: earlier?.id ?? null }))
    },
    async read(id) {
      try {
        return await call(readDocument, of(readDocument, id))
      } catch (error) {
        if (error instanceof Refused && error.status === 404) return null
        throw error
      }
    },
    download: async (link) => await readWhole(await callServer(access, deps, { method: 'GET', path: link, withKey: false })),
    async archive(ids, files) {
      const { path } = downloadManyProofs
      return await callServer(access, deps, {
        method: 'POST',
        path,
        body: JSON.stringify({ ids, files }),
        withKey: true,
        isLong: true,
      })
    },
    copy: {
      begin: async (id, bytes) => await call(beginDocumentCopy, of(beginDocumentCopy, id), { bytes }),
      async send(id, { upload, part, from }, bytes) {
        const path = of(sendDocumentCopyPart, id).replace(':part', String(part))
        const slice = from === null ? '' : `&from=${String(from)}`
        await call(sendDocumentCopyPart, `${path}?upload=${upload}${slice}`, bytes)
      },
      complete: async (id, upload) => await call(completeDocumentCopy, of(completeDocumentCopy, id), { upload }),
      read: async (id) => await call(readDocumentCopy, of(readDocumentCopy, id)),
    },
  }
}
