import { DomainError } from '../../../kernel/errors.ts'

/** NUL, which PostgreSQL has no text with, and half a surrogate pair, which no encoding of Unicode has. */
const isKept = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

/**
 * What a contract let through, and no store keeps: told of its field, as the contract would.
 * @param sent body, query and parameters, as they were read by the contract
 * @throws DomainError `http.invalid_request`
 */
export function refuseUnkeptText(...sent: readonly unknown[]): void {
  const left = sent.map((value): readonly [path: string, value: unknown] => ['', value])
  for (let each = left.pop(); each !== undefined; each = left.pop()) {
    const [path, value] = each
    if (typeof value === 'string' && !isKept(value)) refuse(path)
    if (typeof value !== 'object' || value === null) continue
    for (const [name, held] of Object.entries(value)) {
      if (!isKept(name)) refuse(path)
      left.push([path === '' ? name : `${path}.${name}`, held])
    }
  }
}

function refuse(path: string): never {
  throw new DomainError('invalid', 'http.invalid_request', {}, { fields: { [path === '' ? 'body' : path]: ['invalid'] } })
}
