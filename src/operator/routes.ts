/** /api/v1/operator: what only operators are told. For everybody else there is no such address. */
import { Elysia } from 'elysia'
import type { Parts } from '../parts.ts'
import { requireOperator } from './hidden.ts'

export function operatorRoutes(parts: Parts) {
  return (
    new Elysia({ name: 'operator', prefix: '/api/v1/operator' })
      // Before anything of the request is looked at: what is wrong with it must not tell that this is an address.
      .onTransform(({ request }) => void requireOperator(parts, request))
      .get('/', () => ({ success: true, data: { operator: true } }), { detail: { hide: true } })
  )
}
