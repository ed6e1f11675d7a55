/** An error as the API says it: `docs: Error report`. */
export class ApiError extends Error {
  readonly status: number
  readonly type: string
  readonly errors: Readonly<Record<string, string>> | null

  constructor(status: number, type: string, message: string, errors: Readonly<Record<string, string>> | null = null) {
    super(message)
    this.status = status
    this.type = type
    this.errors = errors
  }
}

export function notFound(kind: string, id: string): ApiError {
  return new ApiError(404, 'ressource_not_found', 'The ressource does not exist', {
    RessourceNotFound: `Cannot found the ressource ${kind} with the id=${id}`,
  })
}

export function wrongParameters(errors: Readonly<Record<string, string>>): ApiError {
  return new ApiError(
    400,
    'param_error',
    'One or several required parameters are missing or incorrect. An incorrect resource ID also raises this kind of error.',
    errors,
  )
}
