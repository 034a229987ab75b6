/** The headers of an app, as the API description tells them, and the step that refuses a wrong grant. */
import { Type } from '@sinclair/typebox'
import { nameAppHeader } from '../http/client-app.ts'
import type { Parts } from '../parts.ts'
import { readGrant } from './grant.ts'

/** The name of the first depends on the brand. */
export const describeAppHeaders = (brand: string) => ({
  [nameAppHeader(brand).toLowerCase()]: Type.Optional(
    Type.String({
      description:
        'The app that asks: 1 to 128 visible ASCII characters. It is recorded with what is made. A claim of the client, which is not checked. In place of a signature, of POST /api/v1/verification: the app that acts by an agent-delegation of the wallet.',
    }),
  ),
  'x-client-origin': Type.Optional(
    Type.String({ description: 'The page that asks, where no browser says it in Origin. Both must be the same.' }),
  ),
})

export const describeGrantHeaders = (brand: string) => ({
  ...describeAppHeaders(brand),
  'x-sponsor-grant': Type.Optional(
    Type.String({
      description:
        'What POST /api/v1/sponsor/grant gave. One that is wrong, over, or of another app or page is refused with 403.',
    }),
  ),
})

/** A beforeHandle hook, for requests that make nothing. Errors: VALIDATION_ERROR, FORBIDDEN. */
export const makeGrantGuard =
  (parts: Parts) =>
  ({ request }: { readonly request: Request }): void => {
    if (request.headers.has('x-sponsor-grant')) readGrant(parts, request.headers)
  }
