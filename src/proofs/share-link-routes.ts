/** Links that open a private proof: /api/v1/profile/share-links/{qHash}. */
import { Type } from '@sinclair/typebox'
import { requireSession } from '../auth/identify.ts'
import type { Identity } from '../auth/identity.ts'
import { qHashPattern } from '../envelope/q-hash.ts'
import { describeAnswer, IsoTimestamp } from '../http/describe.ts'
import { type ExampleSource, story } from '../http/example.ts'
import { type Route, route } from '../http/route.ts'
import type { Parts } from '../parts.ts'
import { open } from '../shape.ts'
import {
  endShareLink,
  labelMaxLength,
  linkIdLength,
  listLinks,
  listOwnLinks,
  makeShareLink,
  mostLinks,
} from './share-link.ts'
import { QHashParams } from './wire.ts'

const LinkParams = Type.Object({
  qHash: Type.String({ pattern: qHashPattern, description: 'Proof id, in either case.' }),
  linkId: Type.String({ pattern: `^[0-9a-f]{${linkIdLength}}$`, description: 'As the list of links names it.' }),
})
const LinkBody = open({
  expiresAt: Type.Integer({
    minimum: 1,
    maximum: 8_640_000_000_000_000,
    description: 'When the link ends, in Unix milliseconds: one minute to 366 days from now.',
  }),
  label: Type.Optional(
    Type.String({ maxLength: labelMaxLength, description: 'For its owner, to tell links apart. Nobody else sees it.' }),
  ),
})
const LinkView = Type.Object({
  linkId: Type.String({ description: 'Names the link, and does not open it.' }),
  label: Type.Union([Type.String(), Type.Null()]),
  createdAt: Type.Integer({ description: 'Unix milliseconds.' }),
  expiresAt: Type.Integer(),
  openedCount: Type.Integer({ description: 'How often its page was opened, previews of messages included.' }),
  lastOpenedAt: Type.Union([Type.Integer(), Type.Null()]),
})

const PageQuery = open({
  limit: Type.Optional(
    Type.String({ pattern: '^([1-9]|[1-9][0-9]|[1-4][0-9][0-9]|500)$', description: '1 to 500. Default 100.' }),
  ),
  cursor: Type.Optional(
    Type.String({ pattern: `^[0-9a-f]{${linkIdLength}}$`, description: 'nextCursor of the page before.' }),
  ),
})

const { qHash, time, timestamp } = story
const oneDayMs = 86_400_000
const linkId = '5f3a9c0b7d21e684'
const link = {
  linkId,
  label: 'For Bob',
  createdAt: time,
  expiresAt: time + oneDayMs,
  openedCount: 0,
  lastOpenedAt: null,
}
const url = `https://proofgate.example/shared?link=${'A'.repeat(43)}`

/** By operationId. No test sends these, because tokens are random, but each fits its schema. */
const examples = {
  makeShareLink: {
    params: { qHash },
    request: { expiresAt: time + oneDayMs, label: 'For Bob' },
    response: { success: true, data: { ...link, url }, timestamp },
  },
  listShareLinks: { params: { qHash }, response: { success: true, data: { qHash, links: [link] }, timestamp } },
  listOwnShareLinks: {
    response: { success: true, data: { links: [{ qHash, ...link }], nextCursor: null }, timestamp },
  },
  revokeShareLink: {
    params: { qHash, linkId },
    response: { success: true, data: { linkId, wasShared: true }, timestamp },
  },
} as const satisfies Readonly<Record<string, ExampleSource>>

const tag = 'proofs'
const signedInNote =
  'For a browser that is signed in with the wallet of the proof or with the primary wallet. Changes need the header X-CSRF-Token.'

export function shareLinkRoutes(parts: Parts): readonly Route[] {
  const formatNow = (): string => new Date(parts.now()).toISOString()
  const requireOwner = async (request: Request): Promise<Identity> => {
    await requireSession(parts, request)
    return (await parts.identify(request))!
  }
  const shared = {
    callers: ['session'],
    readers: 'own pages',
    surface: 'proofs',
    cacheControl: 'private, no-store',
  } as const

  return [
    route(
      {
        method: 'POST',
        path: '/api/v1/profile/share-links/:qHash',
        ...shared,
        params: QHashParams,
        body: LinkBody,
        rate: 'owner',
        operation: {
          tag,
          operationId: 'makeShareLink',
          summary: 'Make a link that opens a private proof',
          description: `Everybody with the link sees the proof as a wallet with an access grant does, until it ends or its owner ends it. The answer alone has the address. At most ${mostLinks} links of one proof. ${signedInNote}`,
          answer: describeAnswer({
            data: Type.Object({ ...LinkView.properties, url: Type.String({ description: 'Shown this once.' }) }),
            timestamp: IsoTimestamp,
          }),
          refusals: [400, 401, 403, 404, 409, 413, 415, 503],
          example: examples.makeShareLink,
        },
      },
      async ({ params, body, request }) => {
        const identity = await requireOwner(request)
        const made = await makeShareLink(parts, identity, { ...params, expiresAt: body.expiresAt, label: body.label })
        const url = `${parts.addresses().authUrl}/shared?link=${made.token}`
        return { success: true, data: { ...made.link, url }, timestamp: formatNow() }
      },
    ),
    route(
      {
        method: 'GET',
        path: '/api/v1/profile/share-links/:qHash',
        ...shared,
        params: QHashParams,
        rate: 'reads',
        operation: {
          tag,
          operationId: 'listShareLinks',
          summary: 'The links that open a proof',
          description: `Those in force, the newest first, without their addresses. ${signedInNote}`,
          answer: describeAnswer({
            data: Type.Object({ qHash: Type.String(), links: Type.Array(LinkView) }),
            timestamp: IsoTimestamp,
          }),
          refusals: [400, 401, 403, 404],
          example: examples.listShareLinks,
        },
      },
      async ({ params, request }) => {
        const links = await listLinks(parts, await requireOwner(request), params.qHash)
        return { success: true, data: { qHash: params.qHash.toLowerCase(), links }, timestamp: formatNow() }
      },
    ),
    route(
      {
        method: 'GET',
        path: '/api/v1/profile/share-links',
        ...shared,
        query: PageQuery,
        rate: 'reads',
        operation: {
          tag,
          operationId: 'listOwnShareLinks',
          summary: 'All links to the private proofs of a person',
          description:
            'Those in force, ordered by linkId, without their addresses, whoever made them: to the proofs of all wallets of the person. In a browser of a linked wallet, to its own proofs.',
          answer: describeAnswer({
            data: Type.Object({
              links: Type.Array(Type.Object({ qHash: Type.String(), ...LinkView.properties })),
              nextCursor: Type.Union([Type.String(), Type.Null()]),
            }),
            timestamp: IsoTimestamp,
          }),
          refusals: [400, 401, 403],
          example: examples.listOwnShareLinks,
        },
      },
      async ({ query, request }) => {
        const data = await listOwnLinks(parts, await requireOwner(request), {
          after: query.cursor,
          limit: Number(query.limit ?? 100),
        })
        return { success: true, data, timestamp: formatNow() }
      },
    ),
    route(
      {
        method: 'DELETE',
        path: '/api/v1/profile/share-links/:qHash/:linkId',
        ...shared,
        params: LinkParams,
        rate: 'owner',
        operation: {
          tag,
          operationId: 'revokeShareLink',
          summary: 'End a link that opens a proof',
          description: `It stops working at once. Again is not an error. ${signedInNote}`,
          answer: describeAnswer({
            data: Type.Object({ linkId: Type.String(), wasShared: Type.Boolean() }),
            timestamp: IsoTimestamp,
          }),
          refusals: [400, 401, 403, 404, 503],
          example: examples.revokeShareLink,
        },
      },
      async ({ params, request }) => {
        const { wasShared } = await endShareLink(parts, await requireOwner(request), params)
        return { success: true, data: { linkId: params.linkId, wasShared }, timestamp: formatNow() }
      },
    ),
  ]
}
