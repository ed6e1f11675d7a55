import { expect, test } from 'vitest'
import { ApiError, statusOf } from './api-error.ts'

test('X-02: the status of an error is its statusCode, else its status, else that of its response, else 500', () => {
  const response = { status: 409 }
  expect(statusOf({ statusCode: 403, status: 404, response })).toBe(403)
  expect(statusOf({ status: 404, response })).toBe(404)
  expect(statusOf({ response })).toBe(409)
  for (const none of [new Error('x'), {}, null, undefined, 'x', { response: null }, { statusCode: '403' }, { status: 200 }])
    expect(statusOf(none)).toBe(500)
  const wire = { code: 'http.not_found', message: '', fields: {}, data: {}, request_id: 'r' }
  expect(statusOf(new ApiError(404, wire))).toBe(404)
  // Nothing came back.
  expect(statusOf(new ApiError(0, wire))).toBe(500)
})
