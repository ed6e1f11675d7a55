import { errorCodes, type FastifyInstance } from 'fastify'

/** Members that a text of JSON writes down: colons outside of strings. */
function countWritten(text: string): number {
  let written = 0
  for (const [found] of text.matchAll(/"(?:[^"\\]|\\.)*"|:/gs)) if (found === ':') written += 1
  return written
}

/**
 * Reads a body that every reader reads alike (RFC 8259 §4: of two members of one name some take the first, some the last).
 * @throws SyntaxError
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  let members = 0
  const left: unknown[] = [value]
  while (left.length > 0) {
    const each = left.pop()
    if (typeof each !== 'object' || each === null) continue
    if (Array.isArray(each)) {
      left.push(...each)
      continue
    }
    for (const [name, held] of Object.entries(each)) {
      if (name === '__proto__') throw new SyntaxError('a name that cannot be kept')
      members += 1
      left.push(held)
    }
  }
  if (countWritten(text) !== members) throw new SyntaxError('a name stands twice')
  return value
}

export function registerJsonParser(app: FastifyInstance): void {
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    if (body === '') return done(new errorCodes.FST_ERR_CTP_EMPTY_JSON_BODY(), undefined)
    try {
      done(null, parseJson(body.toString()))
    } catch {
      done(new errorCodes.FST_ERR_CTP_INVALID_JSON_BODY(), undefined)
    }
  })
}
